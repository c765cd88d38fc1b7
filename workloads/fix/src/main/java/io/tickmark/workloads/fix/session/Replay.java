package io.tickmark.workloads.fix.session;

import io.tickmark.wire.fix.FixFramer;
import io.tickmark.wire.fix.Framing;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Answers a ResendRequest: application messages again as possible duplicates, gap fills in place of
 * all else. Goes on only while there is room, so a long answer to a slow reader never grows in
 * memory. Single thread.
 */
final class Replay {
    /** Room that is always enough for a gap fill. */
    private static final int GAP_FILL_BYTES = 512;

    private final FixSession session;
    private final MessageStore store;
    private final int maxMessageBytes;
    private final AdminMessages admin;
    private final SessionClock clock;
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private final FixFramer framer;
    private final InboundMessage message = new InboundMessage();
    private final BodyBytes ids = new BodyBytes(64);
    private final BodyBytes body = new BodyBytes(512);
    private byte[] bytes = {};
    private long next;
    private long end;
    private long kept;

    /** First number that was kept in place of being sent; 0 where there is none. */
    private long heldBack;

    Replay(
            final FixSession session,
            final MessageStore store,
            final int maxMessageBytes,
            final AdminMessages admin,
            final SessionClock clock) {
        this.session = session;
        this.store = store;
        this.maxMessageBytes = maxMessageBytes;
        this.admin = admin;
        this.clock = clock;
        framer = new FixFramer(maxMessageBytes);
    }

    /** Begins with a number, up to and with another. */
    void begin(final long from, final long until) {
        if (bytes.length == 0) { // hardly any session is ever asked
            bytes = new byte[maxMessageBytes];
            buffer.wrap(bytes);
        }
        next = from;
        end = until + 1;
        kept = 0;
        if (from <= heldBack && heldBack < end) {
            heldBack = 0; // it is among what is asked for
        }
    }

    /** A message of this number, and those that follow, are in the store only: they come last. */
    void holdBack(final long number) {
        if (heldBack == 0 && number >= end) {
            heldBack = number;
        }
    }

    boolean isGoingOn() {
        return next < end || heldBack > 0;
    }

    /** Sends what there is room for, and has it watched until it is written. */
    void advance() {
        sendWhatFits();
        session.out().watch();
    }

    private void sendWhatFits() {
        while (isGoingOn()) {
            if (next >= end) {
                begin(heldBack, session.nextOutgoing() - 1);
            }
            final int length = kept > next ? 0 : store.read(next, bytes);
            if (length > 0) {
                if (!again(length)) {
                    return;
                }
                next++;
            } else if (!fill()) {
                return;
            }
        }
    }

    private boolean again(final int length) {
        if (framer.frame(buffer, 0, length) != Framing.MESSAGE
                || message.wrap(buffer, framer) != RejectReason.NONE) {
            throw new IllegalStateException("the store returned no message for number " + next);
        }
        message.forget();
        ids.clear().field(Tags.POSS_DUP_FLAG, "Y");
        ids.field(Tags.ORIG_SENDING_TIME, message.timeText());
        body.clear().put(bytes, message.fieldsBegin(), message.fieldsEnd() - message.fieldsBegin());
        return session.write(AdminMessages.type(message.type()), next, ids, body);
    }

    /** One gap fill up to the next message that is kept, or to the end. */
    private boolean fill() {
        if (!session.out().reserve(GAP_FILL_BYTES)) {
            return false;
        }
        long until = Math.max(Math.min(end, store.oldestKept()), Math.max(kept, next + 1));
        while (until < end && store.read(until, bytes) == 0) {
            until++;
        }
        kept = until;
        ids.clear().field(Tags.POSS_DUP_FLAG, "Y");
        ids.field(
                Tags.ORIG_SENDING_TIME,
                new String(clock.text().bytes(), StandardCharsets.US_ASCII));
        if (!session.write(AdminMessages.SEQUENCE_RESET, next, ids, admin.gapFill(until))) {
            return false;
        }
        next = until;
        return true;
    }
}
