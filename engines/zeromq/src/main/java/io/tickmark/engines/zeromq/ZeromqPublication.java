package io.tickmark.engines.zeromq;

import io.tickmark.kernel.host.NetworkLink;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import io.tickmark.transport.WirePath;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SocketChannel;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.agrona.DirectBuffer;
import org.zeromq.SocketType;
import org.zeromq.ZEvent;
import org.zeromq.ZMQ;

/** The sending end of a side: each message is one frame. Single-threaded. */
abstract class ZeromqPublication implements Publication {
    /** Flags and length of a frame of up to 255 bytes; 9 for a longer one (RFC 23/ZMTP 3.0). */
    private static final int HEADER_BYTES = 2;

    private static final byte[] NONE = {};

    private final Node node;
    private final ZMQ.Socket socket;

    /** Reused for the next offer, as a refused message is usually offered again. */
    private byte[] refused = NONE;

    private long position;

    /** A publication on a socket of the node. */
    ZeromqPublication(final Node node, final ZMQ.Socket socket) {
        this.node = node;
        this.socket = socket;
    }

    /** Whether anyone is subscribed; checks again where that may have changed. */
    abstract boolean isSubscribedTo();

    /** Address of a receiver. */
    abstract Optional<InetAddress> remote();

    final Node node() {
        return node;
    }

    final ZMQ.Socket socket() {
        return socket;
    }

    @Override
    public final long offer(final DirectBuffer buffer, final int offset, final int length) {
        if (node.isClosed()) {
            return CLOSED;
        }
        if (length > node.parameters().maxPayloadBytes()) {
            return TOO_LONG;
        }
        if (!isSubscribedTo()) {
            return NOT_CONNECTED;
        }
        // The library keeps the array that it accepts.
        final byte[] message = refused.length == length ? refused : new byte[length];
        buffer.getBytes(offset, message);
        final boolean isTaken = socket.send(message, ZMQ.DONTWAIT);
        refused = isTaken ? NONE : message;
        return isTaken ? ++position : BACK_PRESSURED;
    }

    @Override
    public final ChannelUri channel() {
        return node.channel();
    }

    @Override
    public Map<String, Object> facts() {
        return node.facts();
    }

    @Override
    public final Optional<WirePath> wirePath() {
        return remote().flatMap(address ->
                NetworkLink.towards(address)
                        .map(link ->
                                WirePath.stream(
                                        link,
                                        address instanceof Inet6Address,
                                        HEADER_BYTES,
                                        Math.max(1, subscriberCount()))));
    }

    @Override
    public final void close() {
        node.close();
    }

    /** Of the binding side: an XPUB socket, which receives subscriptions. */
    static final class FanOut extends ZeromqPublication {
        /** Offers between two checks for subscribers that have left; a power of two. */
        private static final int CHECK_EVERY = 64;

        private volatile InetAddress lastCaller;
        private final Set<Ticket> ours = new HashSet<>();
        private int topicsOfOthers;
        private int offers;

        /** Binds. */
        FanOut(final Node node) {
            super(node, node.socket(SocketType.XPUB));
            socket().setXpubNoDrop(node.parameters().noDrop());
            final ZEvent.ZEventConsummer accepted = this::onAccepted;
            socket().setEventHook(accepted, ZMQ.EVENT_ACCEPTED);
            node.listen(socket());
        }

        /** On a thread of the library. */
        private void onAccepted(final ZEvent event) {
            final SelectableChannel channel = event.getValue();
            try {
                if (channel instanceof final SocketChannel caller
                        && caller.getRemoteAddress() instanceof final InetSocketAddress address) {
                    lastCaller = address.getAddress();
                }
            } catch (final IOException e) {
                return; // it has already left
            }
        }

        @Override
        boolean isSubscribedTo() {
            if (subscriberCount() == 0 || ++offers % CHECK_EVERY == 0) {
                doWork();
            }
            return subscriberCount() > 0;
        }

        /** Handles new subscriptions and cancelled ones. */
        @Override
        public int doWork() {
            int work = 0;
            if (!node().isClosed()) {
                for (byte[] frame = socket().recv(ZMQ.DONTWAIT);
                        frame != null;
                        frame = socket().recv(ZMQ.DONTWAIT)) {
                    onSubscription(frame);
                    work++;
                }
            }
            return work;
        }

        /** RFC 29/PUBSUB: 1 to subscribe or 0 to cancel, followed by the topic. */
        private void onSubscription(final byte[] frame) {
            if (frame.length == 0 || frame[0] != 0 && frame[0] != 1) {
                return; // a message, which any XSUB socket may send and which is ignored
            }
            final boolean subscribes = frame[0] == 1;
            if (!Ticket.isIn(frame, 1)) {
                // Of the subscriptions to everything that ours have, only the first arrives.
                topicsOfOthers = Math.max(0, topicsOfOthers + (subscribes ? 1 : -1));
            } else if (subscribes) {
                ours.add(Ticket.in(frame, 1));
            } else {
                ours.remove(Ticket.in(frame, 1));
            }
        }

        /** Whether this subscriber receives what is published from now on. */
        boolean reaches(final Ticket subscriber) {
            return ours.contains(subscriber);
        }

        /** Without a subscriber of ours, all those of other programs count as one. */
        @Override
        public int subscriberCount() {
            return ours.isEmpty() && topicsOfOthers > 0 ? 1 : ours.size();
        }

        @Override
        Optional<InetAddress> remote() {
            return Optional.ofNullable(lastCaller);
        }

        @Override
        public Optional<String> engineErrors() {
            return node().errors(List.of());
        }
    }

    /**
     * Of the connecting side: a PUSH socket, which never drops. It sends the ticket first, so that
     * the other side holds answers back until their sender is subscribed to it.
     */
    static final class Answers extends ZeromqPublication {
        private final Ticket ticket;
        private final Intake.Subscribed hearing;
        private final WatchedConnection link;
        private int greeted;

        /** Connects, in addition to the subscription. */
        Answers(final Node node, final Ticket ticket, final Intake.Subscribed hearing) {
            super(node, node.socket(SocketType.PUSH));
            this.ticket = ticket;
            this.hearing = hearing;
            socket().setImmediate(
                            false); // nothing is accepted while the other side is not connected
            link = node.connectForReplies(socket());
        }

        @Override
        boolean isSubscribedTo() {
            if (subscriberCount() == 0) {
                return false;
            }
            final int greetings = link.greetings();
            if (greeted != greetings && socket().send(ticket.frame(), ZMQ.DONTWAIT)) {
                greeted = greetings;
            }
            return greeted == greetings;
        }

        @Override
        public int doWork() {
            if (!node().isClosed()) {
                link.revive();
            }
            return 0;
        }

        @Override
        public int subscriberCount() {
            return hearing.isSubscribed() && link.isUp() ? 1 : 0;
        }

        @Override
        Optional<InetAddress> remote() {
            return Optional.of(node().address());
        }

        @Override
        public Map<String, Object> facts() {
            final Map<String, Object> facts = super.facts();
            facts.put("reconnects", link.reconnects());
            return facts;
        }

        @Override
        public Optional<String> engineErrors() {
            return node().errors(List.of(link::errors));
        }
    }
}
