package io.tickmark.transport.shm;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Claim;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;

/**
 * The connecting side: a subscription, and its way back. Waits for a writer that is not there yet,
 * and follows one that was restarted. One thread.
 */
final class ShmConnector implements Subscription {
    private static final long RETRY_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final ShmAddress address;
    private final NanoClock clock;
    private final Back back = new Back();
    private ShmSession session;
    private long lostBefore;
    private long lastTryNs;
    private boolean closed;

    ShmConnector(final ShmAddress address, final NanoClock clock) {
        this.address = address;
        this.clock = clock;
        lastTryNs = clock.nanoTime();
        session = ShmSession.join(address, clock).orElse(null);
    }

    Publication back() {
        return back;
    }

    @Override
    public int poll(final MessageHandler handler, final int limit) {
        final ShmSession current = session;
        if (current == null) {
            rejoin();
            return 0;
        }
        final int handed = current.read(handler, limit);
        if (handed == 0 && !closed && current.isOver()) {
            leave();
        }
        return handed;
    }

    private void rejoin() {
        if (closed || clock.nanoTime() - lastTryNs < RETRY_INTERVAL_NS) {
            return;
        }
        lastTryNs = clock.nanoTime();
        try {
            session = ShmSession.join(address, clock).orElse(null);
        } catch (final UserError e) {
            // Said when opening; while waiting for a restart whoever is there may go again.
            session = null;
        }
    }

    private void leave() {
        if (session != null) {
            lostBefore += session.lost();
            session.leave();
            session = null;
        }
    }

    @Override
    public boolean isConnected() {
        return session != null && session.isAdmitted() && !session.isWriterGone();
    }

    @Override
    public long lost() {
        return lostBefore + (session == null ? 0 : session.lost());
    }

    @Override
    public ChannelUri channel() {
        return address.channel();
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("file", address.path().toString());
        if (session != null) {
            facts.put("epoch", session.epoch());
            facts.put("damaged", session.isDamaged());
        }
        return facts;
    }

    @Override
    public void close() {
        closed = true;
        leave();
    }

    /** The way back to the binding side. */
    private final class Back implements Publication, Claim.Completion {
        private RingWriter claimed;

        @Override
        public long offer(final DirectBuffer buffer, final int offset, final int length) {
            final long room = room(length);
            if (room < 0) {
                return room;
            }
            session.back().copy((int) room, buffer, offset, length);
            return session.back().commit();
        }

        @Override
        public long tryClaim(final int length, final Claim claim) {
            final long room = room(length);
            if (room < 0) {
                return room;
            }
            claimed = session.back();
            claim.wrap(claimed.ring(), (int) room, length, this);
            return claimed.tail();
        }

        private long room(final int length) {
            if (closed) {
                return CLOSED;
            }
            if (session == null) {
                rejoin();
                return NOT_CONNECTED;
            }
            return length > session.maxPayloadBytes() ? TOO_LONG : session.room(length);
        }

        @Override
        public void commit() {
            claimed.commit();
        }

        @Override
        public void abort() {
            claimed.abort();
        }

        @Override
        public int doWork() {
            if (session == null) {
                rejoin();
            } else {
                session.lookAfterWriter();
            }
            return 0;
        }

        @Override
        public int subscriberCount() {
            return isConnected() ? 1 : 0;
        }

        @Override
        public ChannelUri channel() {
            return address.channel();
        }

        @Override
        public void close() {
            ShmConnector.this.close();
        }
    }
}
