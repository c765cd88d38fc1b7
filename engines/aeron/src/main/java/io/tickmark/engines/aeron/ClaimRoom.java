package io.tickmark.engines.aeron;

import io.aeron.ExclusivePublication;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.protocol.DataHeaderFlyweight;
import io.tickmark.transport.Claim;
import io.tickmark.transport.Publication;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Claims of one publication. What fits one datagram ({@code mtu} less 32 bytes) is claimed in the
 * term itself; Aeron grants no more than that. Longer messages get room beside the term and are
 * copied in fragments when committed, which is granted only while the window has room for it, so
 * that the commit cannot be refused unless the receivers go. One thread.
 */
final class ClaimRoom implements Claim.Completion {
    /** A message that does not fit the rest of a term is refused once, while the term turns. */
    private static final int MOST_OFFERS = 3;

    private static final int FRAME_ALIGNMENT = 32;

    private final ExclusivePublication publication;
    private final int longestInTerm;
    private final BufferClaim inTerm = new BufferClaim();
    private final UnsafeBuffer beside = new UnsafeBuffer(new byte[0]);
    private int lengthBeside;

    ClaimRoom(final ExclusivePublication publication) {
        this.publication = publication;
        this.longestInTerm = publication.maxPayloadLength();
    }

    /** Longest message that is claimed in the term. */
    int longestInTerm() {
        return longestInTerm;
    }

    /** A position, or one of Aeron's codes. */
    long tryClaim(final int length, final Claim claim) {
        if (length > longestInTerm) {
            return tryClaimBeside(length, claim);
        }
        final long position = publication.tryClaim(length, inTerm);
        if (position >= 0) {
            lengthBeside = 0;
            claim.wrap(inTerm.buffer(), inTerm.offset(), length, this);
        }
        return position;
    }

    /** Claims in the term, copies and commits; a position, or one of Aeron's codes. */
    long put(final DirectBuffer message, final int offset, final int length) {
        final long position = publication.tryClaim(length, inTerm);
        if (position >= 0) {
            inTerm.buffer().putBytes(inTerm.offset(), message, offset, length);
            inTerm.commit();
        }
        return position;
    }

    private long tryClaimBeside(final int length, final Claim claim) {
        if (publication.isClosed()) {
            return Publication.CLOSED;
        }
        // Twice: once for itself, and at most once for the rest of a term that is too short for it.
        if (publication.availableWindow() < 2L * framedLength(length)) {
            return publication.isConnected()
                    ? Publication.BACK_PRESSURED
                    : Publication.NOT_CONNECTED;
        }
        if (beside.capacity() < length) {
            beside.wrap(new byte[BitUtil.findNextPositivePowerOfTwo(length)]);
        }
        lengthBeside = length;
        claim.wrap(beside, 0, length, this);
        return publication.position() + length;
    }

    private long framedLength(final int length) {
        final int fragments = (length + longestInTerm - 1) / longestInTerm;
        final long headers = (long) fragments * DataHeaderFlyweight.HEADER_LENGTH;
        return BitUtil.align(length + headers, FRAME_ALIGNMENT);
    }

    @Override
    public void commit() {
        if (lengthBeside == 0) {
            inTerm.commit();
            return;
        }
        int offers = 0;
        while (publication.offer(beside, 0, lengthBeside) == ExclusivePublication.ADMIN_ACTION
                && ++offers < MOST_OFFERS) {
            Thread.onSpinWait();
        }
        lengthBeside = 0;
    }

    @Override
    public void abort() {
        if (lengthBeside == 0) {
            inTerm.abort();
        }
        lengthBeside = 0;
    }
}
