package io.tickmark.workloads.messaging.store;

import io.tickmark.kernel.host.HostId;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.workloads.messaging.session.Agreement;
import org.agrona.DirectBuffer;

/** What a reader of a store learns from the announcement at the head of a stream. */
final class StoredAgreement implements Agreement {
    private int trialId;
    private boolean isKnown;
    private boolean publisherOnThisHost;

    /** Only this trial is listened to; 0 takes the first that is announced. */
    StoredAgreement(final int trialId) {
        this.trialId = trialId;
    }

    @Override
    public void onControl(
            final DirectBuffer buffer, final int offset, final int length, final int flags) {
        if (flags != Stamp.HELLO || length < Stamp.FULL_LENGTH || isKnown) {
            return;
        }
        final int announced = Stamp.trialId(buffer, offset);
        if (trialId == 0 || trialId == announced) {
            trialId = announced;
            isKnown = true;
            publisherOnThisHost = Stamp.sentNs(buffer, offset) == HostId.VALUE;
        }
    }

    /** Whether the publisher has shown itself. */
    boolean isKnown() {
        return isKnown;
    }

    /** The store acknowledges for those who read. */
    @Override
    public void acknowledgeEnd(final int step, final int source, final long lost) {}

    @Override
    public int trialId() {
        return trialId;
    }

    @Override
    public boolean isPublisherOnThisHost() {
        return publisherOnThisHost;
    }
}
