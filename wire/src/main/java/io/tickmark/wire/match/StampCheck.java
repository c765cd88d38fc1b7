package io.tickmark.wire.match;

import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.kernel.stamp.StampChecksum;
import java.util.Optional;
import org.agrona.DirectBuffer;

/**
 * Tells stamped messages from other traffic, one datagram in eight of which has the bits of the
 * stamp's version where a stamp has them. Single thread, allocates nothing.
 */
final class StampCheck {
    /** A message is sent when it is wanted or later, and hardly a day later. */
    private static final long LONGEST_LAG_NS = 86_400_000_000_000L;

    /** Short messages carry their wanted time alone, which is told from the packet's. */
    private static final long NEAR_NS = 3_600_000_000_000L;

    private final Optional<ClockOffset> offset;
    private final boolean areAskedFor;
    private final StampChecksum checksum = new StampChecksum();

    /** {@code areAskedFor}: what cannot be told is taken for a stamped message. */
    StampCheck(final Optional<ClockOffset> offset, final boolean areAskedFor) {
        this.offset = offset;
        this.areAskedFor = areAskedFor;
    }

    /**
     * Whether a message that has the version's bits is stamped; {@code there} bytes of it can be
     * read. The checksum is looked at where all of them are; 0 stands for none.
     */
    boolean holds(
            final DirectBuffer buffer,
            final int at,
            final int length,
            final int there,
            final long timeNs) {
        final long intendedNs = Stamp.intendedNs(buffer, at);
        if (length < Stamp.FULL_LENGTH) {
            return areAskedFor
                    || offset.isPresent()
                            && isWithin(
                                    intendedNs - timeNs + offset.get().ns() + NEAR_NS, 2 * NEAR_NS);
        }
        return intendedNs > 0
                && isWithin(Stamp.sentNs(buffer, at) - intendedNs, LONGEST_LAG_NS)
                && (there < length
                        || Stamp.checksum(buffer, at) == 0
                        || Stamp.checksum(buffer, at) == checksum.of(buffer, at, length));
    }

    private static boolean isWithin(final long ns, final long mostNs) {
        return ns >= 0 && ns < mostNs;
    }
}
