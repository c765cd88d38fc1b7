package io.tickmark.workloads.feed.role;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.Recording;
import io.tickmark.kernel.result.Counts;

/** What others see of a feed while it runs, its warm-up left out. One thread. */
final class SendTold {
    private final Counter sent;
    private final Counter lag;
    private long sentBefore;
    private boolean isMeasuring;

    SendTold(final Recording recording) {
        sent = recording.counter(Counts.SENT);
        lag = recording.gauge(Counts.LAG_NS);
    }

    /** The measured time begins; so much was sent before. */
    void begin(final long sentSoFar) {
        sentBefore = sentSoFar;
        isMeasuring = true;
    }

    void tell(final long sentSoFar, final long lagNs) {
        if (isMeasuring) {
            sent.set(sentSoFar - sentBefore);
        }
        lag.set(lagNs);
    }
}
