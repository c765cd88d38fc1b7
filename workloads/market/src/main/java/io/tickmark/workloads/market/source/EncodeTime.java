package io.tickmark.workloads.market.source;

import io.tickmark.kernel.record.LatencyRecorder;
import org.agrona.concurrent.NanoClock;

/**
 * How long the encoding of a message takes, without what finds room for it and what writes it. One
 * thread; allocates nothing.
 *
 * @param clock of the thread
 * @param recorder of the times, null for none
 */
public record EncodeTime(NanoClock clock, LatencyRecorder recorder) {
    /** The time before encoding, where it is wanted. */
    long begin() {
        return recorder == null ? 0 : clock.nanoTime();
    }

    /** The message is encoded. */
    void end(final long beginNs) {
        if (recorder != null) {
            recorder.record(clock.nanoTime() - beginNs);
        }
    }
}
