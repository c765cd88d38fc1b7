package io.tickmark.workloads.market.source;

import io.tickmark.kernel.record.LatencyRecorder;
import org.agrona.concurrent.NanoClock;

/**
 * How long the encoding of a message takes, without finding a buffer and writing. Single-threaded;
 * allocates nothing.
 *
 * @param clock of the thread
 * @param recorder of the times, null for none
 */
public record EncodeTime(NanoClock clock, LatencyRecorder recorder) {
    /** The time before encoding, where it is requested. */
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
