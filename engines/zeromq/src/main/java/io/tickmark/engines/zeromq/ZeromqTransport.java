package io.tickmark.engines.zeromq;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.PlainMessages;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportTraits;
import java.util.List;

/**
 * {@code zeromq://host:port}: the publication (BIND) binds an XPUB socket, which subscriptions
 * (CONNECT) reach by SUB sockets, even where they were started first. Answers use PUSH and PULL
 * sockets at the next port. Each message is one frame, without a topic. A message for which one
 * subscriber's queue has no room is refused for all, or dropped for that one with {@code
 * noDrop=false}; see {@link ZeromqParameters}.
 */
public final class ZeromqTransport implements Transport {
    /** Opens nothing yet. */
    public ZeromqTransport() {}

    @Override
    public String scheme() {
        return "zeromq";
    }

    @Override
    public String summary() {
        return "ZeroMQ PUB/SUB over TCP: zeromq://HOST:PORT; the publisher binds,"
                + " and answers come by PUSH/PULL at the next port.";
    }

    @Override
    public Class<? extends Record> parameters() {
        return ZeromqParameters.class;
    }

    @Override
    public List<Kind> kinds() {
        return List.of(
                new Kind("zeromq://127.0.0.1:0", true),
                new Kind("zeromq://127.0.0.1:0?noDrop=false", false));
    }

    @Override
    public int busyThreads(final ChannelUri channel, final ExchangeSide side) {
        return channel.read(ZeromqParameters.class).ioThreads();
    }

    @Override
    public PlainMessages plainMessages(final ChannelUri channel) {
        return PlainMessages.inMemory(traits(channel))
                .batching("the client writes together what waits for the socket");
    }

    @Override
    public TransportTraits traits(final ChannelUri channel) {
        final ZeromqParameters parameters = channel.read(ZeromqParameters.class);
        HostPort.of(channel);
        final boolean noDrop = parameters.noDrop();
        return TransportTraits.upTo(parameters.maxPayloadBytes())
                .reliable(noDrop)
                .ordered(true)
                .backPressured(noDrop)
                .detectsDisconnect(true)
                .fansOut(true);
    }

    @Override
    public Publication publication(final ChannelUri channel, final Topic topic) {
        return Node.open(channel, ZeromqPublication.FanOut::new);
    }

    @Override
    public Subscription subscription(final ChannelUri channel, final Topic topic) {
        return Node.open(channel, node -> new Intake.Subscribed(node, Ticket.unique()));
    }

    @Override
    public Exchange exchange(
            final ChannelUri channel,
            final Topic topic,
            final ExchangeSide side,
            final int cookie) {
        return Node.open(
                channel,
                node -> {
                    if (side == ExchangeSide.CONNECT) {
                        final Ticket ticket = Ticket.unique();
                        final Intake.Subscribed in = new Intake.Subscribed(node, ticket);
                        return new ZeromqExchange(
                                new ZeromqPublication.Answers(node, ticket, in), in);
                    }
                    final ZeromqPublication.FanOut out = new ZeromqPublication.FanOut(node);
                    return new ZeromqExchange(out, new Intake.Replies(node, out));
                });
    }

    private record ZeromqExchange(Publication publication, Subscription subscription)
            implements Exchange {
        @Override
        public ChannelUri channel() {
            return publication.channel();
        }

        @Override
        public void close() {
            publication.close(); // closes the node, which both share
        }
    }
}
