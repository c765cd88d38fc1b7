package io.tickmark.engines.rabbitmq;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.PlainMessages;
import io.tickmark.transport.Topic;
import io.tickmark.transport.TransportTraits;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerStoreTransport;
import io.tickmark.transport.broker.ServerSpec;
import io.tickmark.transport.broker.StoredMessage;
import io.tickmark.transport.store.Durability;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.Guarantees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * RabbitMQ: {@code rabbitmq://HOST:PORT}, or {@code rabbitmq:} for a server that is started. Plain
 * streams use an exchange with a queue for each subscriber, stored ones durable queues with
 * publisher confirms. See {@link RabbitmqParameters} for the parameters.
 */
public final class RabbitmqTransport extends BrokerStoreTransport<RabbitmqParameters> {
    private static final int DEFAULT_PORT = 5672;
    private static final int LONGEST_PREFIX = 47;

    /** Connects to nothing yet. */
    public RabbitmqTransport() {
        super("rabbitmq", DEFAULT_PORT, RabbitmqParameters.class);
    }

    @Override
    public String summary() {
        return "RabbitMQ: rabbitmq://HOST:PORT, or rabbitmq: for a server started here; an exchange with a queue for each"
                + " subscriber, and classic or quorum queues as a store.";
    }

    @Override
    public Optional<String> missing() {
        return RabbitmqServer.PROGRAM.absence();
    }

    @Override
    protected void check(final BrokerChannel<RabbitmqParameters> channel) {
        channel.requireName(channel.parameters().broker().prefix(), LONGEST_PREFIX);
        channel.requireOneServer();
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
        return List.of(new Kind("rabbitmq:", true));
    }

    /** Without publisher confirms, which a store asks for. */
    @Override
    public PlainMessages plainMessages(final ChannelUri channel) {
        return PlainMessages.inMemory(traits(channel))
                .slowReceiver(
                        "messages wait in its queue at the server, until that is short of memory and publishers wait");
    }

    @Override
    public Set<String> ignored(final ChannelUri channel, final boolean isStored) {
        return isStored ? Set.of() : Set.of("deletion", "queue");
    }

    @Override
    protected Duration serverStart() {
        return Duration.ofSeconds(6);
    }

    /** One reads the socket; one writes to it, or hands messages over. */
    @Override
    protected int clientThreads(final BrokerChannel<RabbitmqParameters> channel) {
        return 2;
    }

    /**
     * Messages that a slow subscriber does not receive wait in its queue at the server, unless a
     * policy of somebody else's server limits it.
     */
    @Override
    public TransportTraits traits(final ChannelUri uri) {
        final BrokerChannel<RabbitmqParameters> channel = channel(uri);
        return traits(channel.startsServers(), channel.parameters().broker().maxPayloadBytes());
    }

    @Override
    protected ServerSpec server(
            final BrokerChannel<RabbitmqParameters> channel,
            final ServerSpec.Member member,
            final List<ServerSpec.Member> all,
            final boolean stores) {
        final String configuration =
                """
                listeners.tcp.1 = %s:%d
                max_message_size = %d
                """
                        .formatted(
                                member.address().address().getHostAddress(),
                                member.address().port(),
                                channel.parameters().broker().maxPayloadBytes()
                                        + StoredMessage.TRAILER_BYTES);
        return RabbitmqServer.spec(channel, member, configuration, "[]");
    }

    @Override
    protected Link connect(final BrokerChannel<RabbitmqParameters> channel) {
        return new RabbitmqLink(channel);
    }

    @Override
    protected String name(final BrokerChannel<RabbitmqParameters> channel, final Topic topic) {
        return topic.name();
    }

    @Override
    public Duration patience(final ChannelUri channel) {
        return RabbitmqServer.START_PATIENCE;
    }

    /**
     * Classic queues of RabbitMQ 3 sync in batches before they confirm, those of RabbitMQ 4 do not;
     * quorum queues sync their log first ("Data Safety on the RabbitMQ Side" in "Reliability
     * Guide", "Quorum Queues").
     */
    @Override
    protected Guarantees guarantees(final BrokerChannel<RabbitmqParameters> channel) {
        final boolean isQuorum =
                channel.parameters().queue() == RabbitmqParameters.QueueType.QUORUM;
        return new Guarantees(
                Durability.inFiles(isQuorum, 1),
                1,
                1,
                isQuorum
                        ? "the queue's Raft group of one has it in its log"
                        : "the queue has written it",
                isQuorum
                        ? "before the confirm"
                        : "before the confirm with RabbitMQ 3, later with RabbitMQ 4",
                "confirms of several messages together",
                "none",
                channel.parameters().deletion());
    }

    @Override
    protected Map<String, Object> storedFacts(final BrokerChannel<RabbitmqParameters> channel) {
        final Map<String, Object> facts = super.storedFacts(channel);
        facts.put("queue", channel.parameters().queue().argument());
        return facts;
    }

    @Override
    protected DurablePublication durable(
            final BrokerChannel<RabbitmqParameters> channel, final Topic topic) {
        return RabbitmqQueuePublication.open(channel, new RabbitmqQueue(channel, topic));
    }

    @Override
    protected DurableSubscription durable(
            final BrokerChannel<RabbitmqParameters> channel,
            final Topic topic,
            final long fromOrdinal) {
        return new RabbitmqQueueSubscription(
                channel, new RabbitmqQueue(channel, topic), fromOrdinal);
    }

    @Override
    protected StoredTopics stored(final BrokerChannel<RabbitmqParameters> channel) {
        return new Queues(channel);
    }

    /** Queues of a channel. */
    private record Queues(BrokerChannel<RabbitmqParameters> channel) implements StoredQueues {
        @Override
        public void awaitReady(final Runnable requireMajority) {
            RabbitmqConnections.end(RabbitmqConnections.connect(channel));
        }

        @Override
        public void readAll(final Topic topic, final Consumer<StoredMessage<?>> visitor) {
            new RabbitmqQueue(channel, topic).read(visitor);
        }

        /** Deletes those listed in the store's register, together with the register. */
        @Override
        public void deleteAll() {
            final Connection connection = RabbitmqConnections.connect(channel);
            final String register = RabbitmqQueue.register(channel);
            try {
                final Channel deleting = connection.createChannel();
                deleting.queueDeclare(register, true, false, false, null);
                GetResponse named = deleting.basicGet(register, true);
                while (named != null) {
                    deleting.queueDelete(new String(named.getBody(), StandardCharsets.UTF_8));
                    named = deleting.basicGet(register, true);
                }
                deleting.queueDelete(register);
            } catch (final IOException | AlreadyClosedException e) {
                throw RabbitmqConnections.refused(channel, "its queues cannot be deleted", e);
            } finally {
                RabbitmqConnections.end(connection);
            }
        }
    }
}
