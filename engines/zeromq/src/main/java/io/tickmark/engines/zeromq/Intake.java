package io.tickmark.engines.zeromq;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Subscription;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.zeromq.SocketType;
import org.zeromq.ZMQ;

/**
 * The receiving end of a side. One thread: a socket of the library belongs to the thread that uses
 * it, so no other could fill an inbox for it. The library keeps what has arrived, and its poller
 * wakes who waits.
 */
abstract class Intake implements Subscription {
    private static final long LONGEST_WAIT_MS = 100;
    private static final long SHORT_PARK_NS = 50_000;

    /** Only as a connection comes about. */
    private static final long HOLD_PARK_NS = 1_000_000;

    private final Node node;
    private final ZMQ.Socket socket;
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private final EngineErrors leftOut =
            new EngineErrors(
                    "A message was dropped: %s.", "%d messages were dropped, the first: %s.");
    private Optional<ZMQ.Poller> poller = Optional.empty();

    /** Whose answers are not handed over yet, nor what came behind them. */
    private Optional<Ticket> awaited = Optional.empty();

    /** The next message, where it was looked whether there is one; null for none. */
    private byte[] held;

    /** On a socket of the node. */
    Intake(final Node node, final ZMQ.Socket socket) {
        this.node = node;
        this.socket = socket;
    }

    /** Whether somebody is there who may send. */
    abstract boolean isPeerThere();

    /** A frame that is no message came; returns whether those that follow may be handed over. */
    abstract boolean onTicket(Ticket ticket);

    /** Done whenever nothing has come. */
    abstract void whenIdle();

    final Node node() {
        return node;
    }

    final ZMQ.Socket socket() {
        return socket;
    }

    @Override
    public final int poll(final MessageHandler handler, final int limit) {
        int handed = 0;
        while (handed < limit && hasMessage()) {
            final byte[] message = held;
            held = null;
            handed++;
            buffer.wrap(message);
            handler.onMessage(buffer, 0, message.length);
        }
        if (handed == 0 && !node.isClosed()) {
            whenIdle();
        }
        return handed;
    }

    private boolean hasMessage() {
        if (node.isClosed() || isHeldBack()) {
            return false;
        }
        while (held == null) {
            final byte[] message = socket.recv(ZMQ.DONTWAIT);
            if (message == null) {
                return false;
            }
            if (socket.hasReceiveMore()) {
                int frames = 1;
                do { // they come together
                    socket.recv(ZMQ.DONTWAIT);
                    frames++;
                } while (socket.hasReceiveMore());
                leftOut.add(
                        "it has %d frames; publish each message as one frame, without a frame for its topic"
                                .formatted(frames));
            } else if (message.length > node.parameters().maxPayloadBytes()) {
                leftOut.add(
                        "it has %d bytes, which is too long for this side; give both sides the same ?maxPayloadBytes"
                                .formatted(message.length));
            } else if (Ticket.isIn(message, 0)) {
                final Ticket ticket = Ticket.in(message, 0);
                if (!onTicket(ticket)) {
                    awaited = Optional.of(ticket);
                    return false;
                }
            } else {
                held = message;
            }
        }
        return true;
    }

    private boolean isHeldBack() {
        if (awaited.isPresent() && onTicket(awaited.get())) {
            awaited = Optional.empty();
        }
        return awaited.isPresent();
    }

    /** The library wakes whoever waits for whole milliseconds. */
    @Override
    public final void await(final long timeoutNs) {
        final long timeoutMs = Math.min(TimeUnit.NANOSECONDS.toMillis(timeoutNs), LONGEST_WAIT_MS);
        if (node.isClosed() || timeoutMs == 0) {
            LockSupport.parkNanos(Math.min(timeoutNs, SHORT_PARK_NS));
        } else if (awaited.isPresent()) {
            // What is held back has arrived already: the poller would return at once.
            LockSupport.parkNanos(Math.min(timeoutNs, HOLD_PARK_NS));
        } else if (held == null) {
            if (poller.isEmpty()) {
                poller = Optional.of(node.poller(socket));
            }
            poller.get().poll(timeoutMs);
        }
    }

    @Override
    public final boolean wakesOnArrival() {
        return true;
    }

    /** Somebody is there, or has left messages. */
    @Override
    public final boolean isConnected() {
        return !node.isClosed() && (isPeerThere() || hasMessage());
    }

    /** Messages that came and could not be handed over. */
    @Override
    public final long lost() {
        return leftOut.count();
    }

    @Override
    public final ChannelUri channel() {
        return node.channel();
    }

    @Override
    public Map<String, Object> facts() {
        return node.facts();
    }

    final Optional<String> leftOut() {
        return leftOut.sentence();
    }

    @Override
    public final void close() {
        node.close();
    }

    /**
     * The connecting side's: a SUB socket, which hears all that is published. It subscribes once it
     * has been greeted: a connection on which messages may be on their way is never made again.
     */
    static final class Subscribed extends Intake {
        private final Ticket ticket;
        private final WatchedConnection link;
        private boolean hasSubscribed;

        /** Connects. */
        Subscribed(final Node node, final Ticket ticket) {
            super(node, node.socket(SocketType.SUB));
            this.ticket = ticket;
            link = node.connect(socket());
        }

        /** Whether it has subscribed and is connected; subscribes where it can. */
        boolean isSubscribed() {
            if (!hasSubscribed && link.isUp() && !node().isClosed()) {
                hasSubscribed = true;
                socket().subscribe(ZMQ.SUBSCRIPTION_ALL);
                socket().subscribe(ticket.frame());
            }
            return hasSubscribed && link.isUp();
        }

        /** One that an echo of another make sent back. */
        @Override
        boolean onTicket(final Ticket ticket) {
            return true;
        }

        @Override
        boolean isPeerThere() {
            return isSubscribed();
        }

        @Override
        void whenIdle() {
            if (!isSubscribed()) {
                link.revive();
            }
        }

        @Override
        public Map<String, Object> facts() {
            final Map<String, Object> facts = super.facts();
            facts.put("reconnects", link.reconnects());
            return facts;
        }

        @Override
        public Optional<String> engineErrors() {
            return node().errors(List.of(link::errors, this::leftOut));
        }
    }

    /** The binding side's: a PULL socket, by which all answers come. */
    static final class Replies extends Intake {
        /**
         * Many times what lies between a subscription and the ticket that follows it. A subscriber
         * that has left in between will not be reached, and all others wait meanwhile: the socket
         * does not tell whose message is whose.
         */
        private static final long LONGEST_HOLD_NS = 100_000_000;

        private final ZeromqPublication.FanOut out;
        private long heldSinceNs;
        private boolean isHolding;
        private int holds;
        private int expiredHolds;

        /** Binds, beside what publishes. */
        Replies(final Node node, final ZeromqPublication.FanOut out) {
            super(node, node.socket(SocketType.PULL));
            this.out = out;
            node.listenForReplies(socket());
        }

        /**
         * Whoever is heard here is reached there, too: its subscription came by another connection,
         * perhaps later.
         */
        @Override
        boolean onTicket(final Ticket ticket) {
            out.doWork();
            if (out.reaches(ticket)) {
                isHolding = false;
                return true;
            }
            final long nowNs = SystemNanoClock.INSTANCE.nanoTime();
            if (!isHolding) {
                isHolding = true;
                heldSinceNs = nowNs;
                holds++;
            } else if (nowNs - heldSinceNs >= LONGEST_HOLD_NS) {
                isHolding = false;
                expiredHolds++;
            }
            return !isHolding;
        }

        @Override
        boolean isPeerThere() {
            return out.subscriberCount() > 0;
        }

        @Override
        void whenIdle() {
            out.doWork();
        }

        @Override
        public Map<String, Object> facts() {
            final Map<String, Object> facts = super.facts();
            facts.put("answerHolds", holds);
            facts.put("answerHoldsExpired", expiredHolds);
            return facts;
        }

        @Override
        public Optional<String> engineErrors() {
            return node().errors(List.of(this::leftOut));
        }
    }
}
