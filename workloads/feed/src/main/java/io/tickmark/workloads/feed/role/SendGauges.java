package io.tickmark.workloads.feed.role;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.Recording;
import io.tickmark.kernel.result.Counts;

/** The counters of a feed visible while it runs, without its warm-up. Single-threaded. */
final class SendGauges {
    private final Counter sent;
    private final Counter lag;
    private long sentBefore;
    private boolean isMeasuring;

    SendGauges(final Recording recording) {
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
