package io.tickmark.engines.grpc;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.PlainMessages;
import io.tickmark.transport.Publication;
import io.tickmark.transport.SecretFile;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportTraits;
import java.util.List;

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
    public void checkFiles(final ChannelUri channel) {
        token(channel, read(channel));
    }

    /** The token in the file that a channel names; empty where it names none. */
    static String token(final ChannelUri channel, final GrpcParameters parameters) {
        return SecretFile.read(channel, "tokenFile", parameters.tokenFile());
    }

    @Override
    public Publication publication(final ChannelUri channel, final Topic topic) {
        return new ServerSide(channel, read(channel), true);
    }

    @Override
    public Subscription subscription(final ChannelUri channel, final Topic topic) {
        return clientSide(channel, true);
    }

    @Override
    public Exchange exchange(
            final ChannelUri channel,
            final Topic topic,
            final ExchangeSide side,
            final int cookie) {
        final Calls calls =
                side == ExchangeSide.BIND
                        ? new ServerSide(channel, read(channel), false)
                        : clientSide(channel, false);
        return Exchange.of(calls, calls, calls.channel());
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
}
