package io.tickmark.engines.rabbitmq;

import io.tickmark.kernel.settings.Plural;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.PlainMessages;
import io.tickmark.transport.Topic;
import io.tickmark.transport.TransportTraits;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerStoreTransport;
import io.tickmark.transport.broker.ServerSpec;
import io.tickmark.transport.store.Deletion;
import io.tickmark.transport.store.Durability;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.Guarantees;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * RabbitMQ's streams by their own protocol: {@code rabbitmq-stream://HOST:PORT}, as RabbitMQ writes
 * such addresses, or {@code rabbitmq-stream:} for a server that is started. See {@link
 * StreamParameters} for the parameters.
 */
public final class RabbitmqStreamTransport extends BrokerStoreTransport<StreamParameters> {
    private static final int DEFAULT_PORT = 5552;
    private static final int LONGEST_PREFIX = 47;

    /** Connects to nothing yet. */
    public RabbitmqStreamTransport() {
        super("rabbitmq-stream", DEFAULT_PORT, StreamParameters.class);
    }

    @Override
    public String summary() {
        return "RabbitMQ's streams: rabbitmq-stream://HOST:PORT, or rabbitmq-stream: for a server started here; by the stream"
                + " protocol, also as a store.";
    }

    @Override
    public Optional<String> missing() {
        return RabbitmqServer.PROGRAM.absence();
    }

    @Override
    protected void check(final BrokerChannel<StreamParameters> channel) {
        channel.requireName(channel.parameters().broker().prefix(), LONGEST_PREFIX);
        channel.requireOneServer();
        if (channel.parameters().deletion() == Deletion.ACKNOWLEDGED) {
            throw channel.wrong(
                    "a stream does not delete what was acknowledged; write deletion=kept, or use rabbitmq: for a queue");
        }
    }

    @Override
    protected long leastFreeBytes() {
        return RabbitmqServer.LEAST_FREE_BYTES;
    }

    @Override
    protected String serverTitle() {
        return "RabbitMQ server";
    }

    @Override
    public List<Kind> kinds() {
        return List.of(new Kind("rabbitmq-stream:", true));
    }

    /** Its network thread; one that fills frames, or hands over messages. */
    @Override
    protected int clientThreads(final BrokerChannel<StreamParameters> channel) {
        return 2;
    }

    @Override
    public PlainMessages plainMessages(final ChannelUri channel) {
        return guarantees(channel)
                .plain(
                        "reads later what the server still keeps, %d MB or more"
                                .formatted(channel(channel).parameters().keepBytes() / 1_000_000));
    }

    /** A store keeps everything. */
    @Override
    public Set<String> ignored(final ChannelUri channel, final boolean isStored) {
        return Set.of(isStored ? "keepBytes" : "deletion");
    }

    @Override
    protected Duration serverStart() {
        return Duration.ofSeconds(6);
    }

    /** A slow subscriber loses what the server no longer keeps. */
    @Override
    public TransportTraits traits(final ChannelUri channel) {
        return traits(false, channel(channel).parameters().broker().maxPayloadBytes());
    }

    @Override
    protected ServerSpec server(
            final BrokerChannel<StreamParameters> channel,
            final ServerSpec.Member member,
            final List<ServerSpec.Member> all,
            final boolean stores) {
        final String host = member.address().address().getHostAddress();
        final String configuration =
                """
                listeners.tcp = none
                stream.listeners.tcp.1 = %s:%d
                stream.advertised_host = %s
                stream.advertised_port = %d
                stream.frame_max = %d
                """
                        .formatted(
                                host,
                                member.address().port(),
                                host,
                                member.address().port(),
                                StreamClient.frameBytes(channel.parameters()));
        return RabbitmqServer.spec(channel, member, configuration, "[rabbitmq_stream]");
    }

    @Override
    protected Link connect(final BrokerChannel<StreamParameters> channel) {
        return new StreamLink(channel);
    }

    @Override
    protected String name(final BrokerChannel<StreamParameters> channel, final Topic topic) {
        return channel.parameters().broker().prefix() + "." + topic.name();
    }

    @Override
    public Duration patience(final ChannelUri channel) {
        return RabbitmqServer.START_PATIENCE;
    }

    /** Streams are never synced ("Data Safety" in "Streams", the documentation of RabbitMQ). */
    @Override
    protected Guarantees guarantees(final BrokerChannel<StreamParameters> channel) {
        return new Guarantees(
                Durability.D1,
                1,
                1,
                "the server has written it to the stream's segment",
                "when the system writes its page cache back",
                "frames of up to %s, as many as wait"
                        .formatted(Plural.of(channel.parameters().batch(), "message")),
                "none",
                channel.parameters().deletion());
    }

    @Override
    protected DurablePublication durable(
            final BrokerChannel<StreamParameters> channel, final Topic topic) {
        return StreamPublication.open(channel, StreamStore.name(channel, topic));
    }

    @Override
    protected DurableSubscription durable(
            final BrokerChannel<StreamParameters> channel,
            final Topic topic,
            final long fromOrdinal) {
        return StreamSubscription.open(channel, StreamStore.name(channel, topic), fromOrdinal);
    }

    @Override
    protected StoredTopics stored(final BrokerChannel<StreamParameters> channel) {
        return new StreamStore(channel);
    }
}
