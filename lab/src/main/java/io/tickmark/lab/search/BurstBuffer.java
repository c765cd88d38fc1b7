package io.tickmark.lab.search;

import io.tickmark.kernel.settings.UserError;

/**
 * What a burst above the sustainable rate needs: while it lasts, messages pile up by the difference
 * of the rates; when it is over, they drain at the sustainable rate.
 *
 * @param sustainedPerSecond highest rate that holds for good
 * @param burstPerSecond rate of the burst
 * @param burstNs length of the burst
 * @param payloadBytes of a message
 */
public record BurstBuffer(
        double sustainedPerSecond, double burstPerSecond, long burstNs, int payloadBytes) {
    private static final double NS_PER_S = 1e9;

    /** Refuses a burst that is none. */
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
     * @return bytes of those messages; what an engine or the kernel puts around them comes on top
     */
    public long bytes() {
        return messages() * payloadBytes;
    }

    /**
     * How long it takes until nothing waits any more, if nothing more is sent: also the longest
     * that a message waits.
     *
     * @return ns from the end of the burst
     */
    public long drainNs() {
        return (long) Math.ceil(messages() * NS_PER_S / sustainedPerSecond);
    }
}
