package io.tickmark.lab.search;

import io.tickmark.kernel.settings.UserError;

/**
 * The buffer that a burst above the sustainable rate needs: during the burst, messages queue up at
 * the difference of the rates; after it, they drain at the sustainable rate.
 *
 * @param sustainedPerSecond highest rate that holds permanently
 * @param burstPerSecond rate of the burst
 * @param burstNs length of the burst
 * @param payloadBytes of a message
 */
public record BurstBuffer(
        double sustainedPerSecond, double burstPerSecond, long burstNs, int payloadBytes) {
    private static final double NS_PER_S = 1e9;

    /** Refuses an invalid burst. */
    public BurstBuffer {
        if (burstPerSecond <= sustainedPerSecond) {
            throw UserError.usage(
                    "--rate %.0f is not above --sustained %.0f: such a burst needs no buffer; give a higher one."
                            .formatted(burstPerSecond, sustainedPerSecond));
        }
    }

    /**
     * Room needed, rounded up.
     *
     * @return messages that wait when the burst ends
     */
    public long messages() {
        return (long) Math.ceil((burstPerSecond - sustainedPerSecond) * burstNs / NS_PER_S);
    }

    /**
     * Room needed.
     *
     * @return bytes of those messages; overhead of an engine or the kernel is not included
     */
    public long bytes() {
        return messages() * payloadBytes;
    }

    /**
     * How long it takes until the queue is empty, if nothing more is sent: also the longest wait of
     * a message.
     *
     * @return ns from the end of the burst
     */
    public long drainNs() {
        return (long) Math.ceil(messages() * NS_PER_S / sustainedPerSecond);
    }
}
