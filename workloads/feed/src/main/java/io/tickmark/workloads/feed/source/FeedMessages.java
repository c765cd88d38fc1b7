package io.tickmark.workloads.feed.source;

import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.kernel.stamp.StampChecksum;
import io.tickmark.workloads.feed.tick.Tick;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * A message of a feed on a channel: a full stamp of source 0, with checksum, and the tick after it,
 * whose times the receiver sets relative to its own epoch. Single-threaded, allocates nothing.
 */
final class FeedMessages {
    /** Source in the stamp; streams count theirs from 1. */
    static final int SOURCE = 0;

    /** Where the tick begins. */
    static final int TICK_AT = Stamp.FULL_LENGTH;

    private final StampChecksum checksum = new StampChecksum();

    /** Step of the warm-up; the measured one is 0. */
    static final int WARM_UP_STEP = -1;

    /** Stamps a message whose tick is written; the send time is written last. */
    void stamp(
            final MutableDirectBuffer buffer,
            final int length,
            final long intendedNs,
            final int sequence,
            final int step,
            final int trialId) {
        final int flags = step == WARM_UP_STEP ? Stamp.WARM_UP : 0;
        Stamp.write(buffer, 0, intendedNs, sequence, flags, step, SOURCE);
        Stamp.writeTrialId(buffer, 0, trialId);
        Stamp.writeChecksum(buffer, 0, checksum.of(buffer, 0, length));
    }

    /** Whether a message that is stamped, and of source 0, is a whole one of a feed. */
    boolean isWhole(final DirectBuffer buffer, final int offset, final int length) {
        return length >= TICK_AT + Tick.LENGTH
                && Stamp.checksum(buffer, offset) == checksum.of(buffer, offset, length);
    }
}
