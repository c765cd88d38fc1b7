package io.tickmark.workloads.messaging.stream;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.Recording;
import io.tickmark.kernel.result.Counts;

/** What others see of a sender while it sends; its thread writes. */
final class SendTold {
    private final Counter sent;
    private final Counter lag;

    SendTold(final Recording recording) {
        sent = recording.counter(Counts.SENT);
        lag = recording.gauge(Counts.LAG_NS);
    }

    long sent() {
        return sent.get();
    }

    void tell(final long newSent, final long lagNs) {
        sent.set(newSent);
        lag.set(lagNs);
    }
}
