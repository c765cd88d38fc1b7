package io.tickmark.engines.nats;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.PlainMessages;
import io.tickmark.transport.Topic;
import io.tickmark.transport.TransportTraits;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerTransport;
import io.tickmark.transport.broker.ServerSpec;
import java.util.List;
import java.util.Optional;

/**
 * NATS: {@code nats://HOST:PORT}, or {@code nats:} for a server that the binding side starts. See
 * {@link NatsParameters} for the parameters.
 */
public final class NatsTransport extends BrokerTransport<NatsParameters> {
    /** Connects to nothing yet. */
    public NatsTransport() {
        super("nats", NatsServer.DEFAULT_PORT, NatsParameters.class);
    }

    @Override
    public String summary() {
        return "Core NATS: nats://HOST:PORT, or nats: for a server started here.";
    }

    @Override
    public Optional<String> missing() {
        return NatsServer.PROGRAM.absence();
    }

    @Override
    protected void check(final BrokerChannel<NatsParameters> channel) {
        NatsServer.checkSubject(channel, channel.parameters());
    }

    @Override
    protected String serverTitle() {
        return "NATS server";
    }

    @Override
    public List<Kind> kinds() {
        return List.of(new Kind("nats:", true));
    }

    @Override
    public PlainMessages plainMessages(final ChannelUri channel) {
        return PlainMessages.inMemory(traits(channel))
                .batching("the client writes together what waits for the socket")
                .slowReceiver(
                        "the server ends its connection, or the client drops what it has no room for, counted");
    }

    /** A slow subscriber's messages are dropped, by its client or by the server. */
    @Override
    public TransportTraits traits(final ChannelUri channel) {
        return traits(false, channel(channel).parameters().server().maxPayloadBytes());
    }

    @Override
    protected int clientThreads(final BrokerChannel<NatsParameters> channel) {
        return NatsLink.CLIENT_THREADS;
    }

    @Override
    protected String serverName() {
        return "nats-server";
    }

    @Override
    protected ServerSpec server(
            final BrokerChannel<NatsParameters> channel,
            final ServerSpec.Member member,
            final List<ServerSpec.Member> all,
            final boolean stores) {
        return NatsServer.spec(channel, member, channel.parameters(), "");
    }

    @Override
    protected Link connect(final BrokerChannel<NatsParameters> channel) {
        return new NatsLink(channel, channel.parameters());
    }

    @Override
    protected String name(final BrokerChannel<NatsParameters> channel, final Topic topic) {
        return channel.parameters().subject() + "." + NatsServer.tokens(topic);
    }

    @Override
    protected String replyName(final BrokerChannel<NatsParameters> channel, final Topic topic) {
        return channel.parameters().subject() + ".reply." + NatsServer.tokens(topic);
    }
}
