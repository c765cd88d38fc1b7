package io.tickmark.engines.grpc;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.PlainMessages;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportTraits;
import io.tickmark.transport.WirePath;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.agrona.DirectBuffer;

/**
 * {@code grpc://host:port}: the publication (BIND) is the server, on loopback where no host is
 * given; subscriptions (CONNECT) call it and retry until it is running. One-way streams are calls
 * of a server-streaming method, exchanges those of a bidirectional one ({@link Methods}). A message
 * is sent to all receivers or refused: gRPC reports whether a receiver is ready, and a slow one
 * holds back all. See {@link GrpcParameters} for the parameters.
 */
public final class GrpcTransport implements Transport {
    /** Opens nothing yet. */
    public GrpcTransport() {}

    @Override
    public String scheme() {
        return "grpc";
    }

    @Override
    public String summary() {
        return "gRPC streams over HTTP/2: grpc://HOST:PORT; the publisher is the server.";
    }

    @Override
    public Class<? extends Record> parameters() {
        return GrpcParameters.class;
    }

    @Override
    public List<Kind> kinds() {
        return List.of(new Kind("grpc://127.0.0.1:0", true));
    }

    @Override
    public int busyThreads(final ChannelUri channel, final ExchangeSide side) {
        return read(channel).ioThreads();
    }

    @Override
    public PlainMessages plainMessages(final ChannelUri channel) {
        return PlainMessages.inMemory(traits(channel))
                .batching("Netty writes together what waits for the socket");
    }

    @Override
    public TransportTraits traits(final ChannelUri channel) {
        HostPort.of(channel);
        return TransportTraits.upTo(read(channel).maxPayloadBytes())
                .reliable(true)
                .ordered(true)
                .backPressured(true)
                .detectsDisconnect(true)
                .fansOut(true);
    }

    @Override
    public Publication publication(final ChannelUri channel, final Topic topic) {
        return new GrpcPublication(new ServerSide(channel, read(channel)), true);
    }

    @Override
    public Subscription subscription(final ChannelUri channel, final Topic topic) {
        return new GrpcSubscription(clientSide(channel, true));
    }

    @Override
    public Exchange exchange(
            final ChannelUri channel,
            final Topic topic,
            final ExchangeSide side,
            final int cookie) {
        final Calls calls =
                side == ExchangeSide.BIND
                        ? new ServerSide(channel, read(channel))
                        : clientSide(channel, false);
        return Exchange.of(
                new GrpcPublication(calls, false), new GrpcSubscription(calls), calls.channel());
    }

    private static ClientSide clientSide(final ChannelUri channel, final boolean oneWay) {
        if (HostPort.of(channel).port() == 0) {
            throw UserError.usage(
                    "--channel "
                            + channel
                            + ": port 0 cannot be connected to; give the port of the listening side.");
        }
        return new ClientSide(channel, read(channel), oneWay);
    }

    private static GrpcParameters read(final ChannelUri channel) {
        return channel.read(GrpcParameters.class);
    }

    /** Sends on all calls of a side. */
    private record GrpcPublication(Calls calls, boolean isAlone) implements Publication {
        private static final MessageHandler NOBODY = (buffer, offset, length) -> {};

        @Override
        public long offer(final DirectBuffer buffer, final int offset, final int length) {
            return calls.offer(buffer, offset, length);
        }

        /** Without a subscription beside it, it has to detect disconnects itself. */
        @Override
        public int doWork() {
            return isAlone ? calls.poll(NOBODY, 1) : 0;
        }

        @Override
        public int subscriberCount() {
            return calls.count();
        }

        @Override
        public ChannelUri channel() {
            return calls.channel();
        }

        @Override
        public Map<String, Object> facts() {
            return calls.facts();
        }

        @Override
        public Optional<String> engineErrors() {
            return calls.errors();
        }

        @Override
        public Optional<WirePath> wirePath() {
            return calls.wirePath();
        }

        @Override
        public void close() {
            calls.close();
        }
    }

    /** Receives from all calls of a side. */
    private record GrpcSubscription(Calls calls) implements Subscription {
        @Override
        public int poll(final MessageHandler handler, final int limit) {
            return calls.poll(handler, limit);
        }

        @Override
        public boolean wakesOnArrival() {
            return true;
        }

        @Override
        public void await(final long timeoutNs) {
            calls.await(timeoutNs);
        }

        @Override
        public boolean isConnected() {
            return calls.isConnected();
        }

        @Override
        public ChannelUri channel() {
            return calls.channel();
        }

        @Override
        public Map<String, Object> facts() {
            return calls.facts();
        }

        @Override
        public Optional<String> engineErrors() {
            return calls.errors();
        }

        @Override
        public void close() {
            calls.close();
        }
    }
}
