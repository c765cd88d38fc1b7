package io.tickmark.engines.rabbitmq;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import io.tickmark.kernel.host.FreePort;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import io.tickmark.transport.TransportTraits;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerStoreTransport;
import io.tickmark.transport.broker.ServerProgram;
import io.tickmark.transport.broker.ServerSpec;
import io.tickmark.transport.broker.StoredMessage;
import io.tickmark.transport.store.Durability;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.Guarantees;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * RabbitMQ: {@code rabbitmq://HOST:PORT}, or {@code rabbitmq:} for a server that is started. Plain
 * streams use an exchange with a queue for each subscriber, stored ones durable queues with
 * publisher confirms. See {@link RabbitmqParameters} for the parameters.
 */
public final class RabbitmqTransport extends BrokerStoreTransport<RabbitmqParameters> {
    /** The script that Debian's rabbitmq-server starts as a separate user. */
    private static final ServerProgram PROGRAM =
            new ServerProgram(
                    "/usr/lib/rabbitmq/bin/rabbitmq-server",
                    "TICKMARK_RABBITMQ_SERVER",
                    "rabbitmq-server");

    private static final int DEFAULT_PORT = 5672;
    private static final Duration START_PATIENCE = Duration.ofSeconds(90);
    private static final int LONGEST_PREFIX = 47;

    /**
     * Replaces the shell with the server, so that a signal reaches it, and stops its port mapper
     * (epmd), which would outlive it, once the server is gone.
     */
    private static final String WITH_PORT_MAPPER =
            """
            (
                epmd -address 127.0.0.1 -port "$ERL_EPMD_PORT" &
                mapper=$!
                tail --pid="$$" -s 0.1 -f /dev/null
                kill "$mapper"
            ) &
            exec "$0"
            """;

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
        return PROGRAM.absence();
    }

    @Override
    protected void check(final BrokerChannel<RabbitmqParameters> channel) {
        channel.requireName(channel.parameters().broker().prefix(), LONGEST_PREFIX);
        channel.requireOneServer();
    }

    @Override
    public List<Kind> kinds() {
        return List.of(new Kind("rabbitmq:", true));
    }

    /** Messages that a slow subscriber does not receive wait in its queue at the server. */
    @Override
    public TransportTraits traits(final ChannelUri channel) {
        return traits(true, channel(channel).parameters().broker().maxPayloadBytes());
    }

    /**
     * All files and ports of a server are its own: see "File and Directory Locations" and
     * "Networking" in the documentation of RabbitMQ. The node's name is fixed, as its data is bound
     * to it; other nodes find it by its own port mapper.
     */
    @Override
    protected ServerSpec server(
            final BrokerChannel<RabbitmqParameters> channel,
            final ServerSpec.Member member,
            final List<ServerSpec.Member> all,
            final boolean stores) {
        final Path program = PROGRAM.required(channel);
        final Path folder = member.folder().toAbsolutePath();
        final String configuration =
                """
                listeners.tcp.1 = %s:%d
                loopback_users = none
                max_message_size = %d
                """
                        .formatted(
                                member.address().address().getHostAddress(),
                                member.address().port(),
                                channel.parameters().broker().maxPayloadBytes()
                                        + StoredMessage.TRAILER_BYTES);
        return new ServerSpec(
                List.of(
                        "env",
                        "HOME=" + folder,
                        "ERL_EPMD_ADDRESS=127.0.0.1",
                        "ERL_EPMD_PORT=" + mapperPort(channel),
                        "RABBITMQ_NODENAME=tickmark@localhost",
                        "RABBITMQ_DIST_PORT=" + member.peerPort(),
                        "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS=-kernel inet_dist_use_interface {127,0,0,1}",
                        "RABBITMQ_CONF_ENV_FILE=/dev/null",
                        "RABBITMQ_CONFIG_FILE=" + folder.resolve("rabbitmq.conf"),
                        "RABBITMQ_ENABLED_PLUGINS_FILE=" + folder.resolve("enabled_plugins"),
                        "RABBITMQ_MNESIA_BASE=" + folder.resolve("data"),
                        "RABBITMQ_LOG_BASE=" + folder.resolve("log"),
                        "RABBITMQ_LOGS=-",
                        "RABBITMQ_PID_FILE=" + folder.resolve("pid"),
                        "RUNNING_UNDER_SYSTEMD=true", // no shell between a signal and the server
                        "sh",
                        "-c",
                        WITH_PORT_MAPPER,
                        program.toString()),
                Map.of("rabbitmq.conf", configuration),
                "Server startup complete",
                "BOOT FAILED",
                List.of("[critical]", "resource limit alarm set"),
                START_PATIENCE);
    }

    private static int mapperPort(final BrokerChannel<RabbitmqParameters> channel) {
        try {
            return FreePort.tcp(InetAddress.getLoopbackAddress());
        } catch (final IOException e) {
            throw channel.failed("no port is available on 127.0.0.1; free some", e);
        }
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
        return START_PATIENCE;
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
                isQuorum ? Durability.D2 : Durability.D1,
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

    /**
     * The guarantees, as figures; a server that was not started here does not report them to
     * clients.
     */
    static Map<String, Object> promises(final BrokerChannel<RabbitmqParameters> channel) {
        final Guarantees guarantees = new RabbitmqTransport().guarantees(channel);
        final Map<String, Object> facts =
                channel.startsServers() ? guarantees.facts() : guarantees.claimedFacts();
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
            RabbitmqConnections.end(RabbitmqConnections.connect(channel, false));
        }

        @Override
        public void readAll(final Topic topic, final Consumer<StoredMessage<?>> visitor) {
            new RabbitmqQueue(channel, topic).read(visitor);
        }

        /** Deletes those listed in the store's register, together with the register. */
        @Override
        public void deleteAll() {
            final Connection connection = RabbitmqConnections.connect(channel, false);
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
