package io.tickmark.engines.kafka;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
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
import io.tickmark.transport.store.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.utils.AppInfoParser;

/**
 * Kafka: {@code kafka://HOST:PORT}, or {@code kafka:} for brokers that the binding side starts. See
 * {@link KafkaParameters} for the parameters.
 */
public final class KafkaTransport extends BrokerStoreTransport<KafkaParameters> {
    private static final int DEFAULT_PORT = 9092;
    private static final int LONGEST_PREFIX = 200;
    private static final Duration START_PATIENCE = Duration.ofSeconds(90);
    private static final String PROPERTIES = "server.properties";
    private static final String STORED = ".stored";

    /** Any id is possible, as long as all members have the same. */
    private static final String CLUSTER = "dGlja21hcmstc3RvcmU";

    /** Connects to nothing yet. */
    public KafkaTransport() {
        super("kafka", DEFAULT_PORT, KafkaParameters.class);
    }

    @Override
    public String summary() {
        return "Apache Kafka: kafka://HOST:PORT, or kafka: for brokers started here (KRaft); also as a store, messages kept or"
                + " deleted once acknowledged.";
    }

    @Override
    protected String serverNoun() {
        return "broker";
    }

    @Override
    protected String serverTitle() {
        return "Kafka broker";
    }

    @Override
    protected String endsWhen(final String how) {
        return how.contains("exit status")
                ? ", as Kafka's does when it cannot write to its disk"
                : "";
    }

    /** A controller waits for a majority of controllers. */
    @Override
    protected boolean startsAlone() {
        return false;
    }

    @Override
    protected void check(final BrokerChannel<KafkaParameters> channel) {
        final KafkaParameters parameters = channel.parameters();
        channel.requireName(parameters.broker().prefix(), LONGEST_PREFIX);
        if (parameters.idempotence()
                && !parameters.isIdempotent()
                && channel.uri().parameters().containsKey("idempotence")) {
            throw channel.wrong("?idempotence needs acks=all; leave one of the two out");
        }
    }

    @Override
    public List<Kind> kinds() {
        return List.of(new Kind("kafka:", true));
    }

    /** Topics of plain tests are kept like stored ones. */
    @Override
    public PlainMessages plainMessages(final ChannelUri channel) {
        return guarantees(channel).plain("reads later what the broker has on disk");
    }

    @Override
    protected Duration serverStart() {
        return Duration.ofSeconds(7);
    }

    /**
     * The broker's disk buffers for a slow subscriber, so there is no back-pressure. On somebody
     * else's brokers a topic is used only if it deletes nothing and has its copies.
     */
    @Override
    public TransportTraits traits(final ChannelUri channel) {
        final KafkaParameters parameters = channel(channel).parameters();
        return traits(
                parameters.acks() == KafkaParameters.Acks.ALL,
                parameters.broker().maxPayloadBytes());
    }

    @Override
    protected int members(final BrokerChannel<KafkaParameters> channel) {
        return channel.parameters().members();
    }

    /** A separate JVM with this process's class path, broker and controller (KRaft) in one. */
    @Override
    protected ServerSpec server(
            final BrokerChannel<KafkaParameters> channel,
            final ServerSpec.Member member,
            final List<ServerSpec.Member> all,
            final boolean stores) {
        return new ServerSpec(
                ServerProcess.java(
                        List.of(
                                "-Xmx" + channel.parameters().brokerHeapMib() + "m",
                                "-XX:+UseG1GC",
                                "-Djava.awt.headless=true"),
                        KafkaBroker.class,
                        List.of(member.folder().resolve(PROPERTIES).toString(), CLUSTER)),
                Map.of(PROPERTIES, properties(channel, member, all)),
                KafkaBroker.READY,
                KafkaBroker.FAILED,
                List.of(),
                START_PATIENCE);
    }

    private static String properties(
            final BrokerChannel<KafkaParameters> channel,
            final ServerSpec.Member member,
            final List<ServerSpec.Member> all) {
        final int copies = all.size();
        final int maxBytes = channel.parameters().mostBatchBytes();
        return """
        process.roles=broker,controller
        node.id=%d
        controller.quorum.voters=%s
        listeners=PLAINTEXT://%s,CONTROLLER://%s:%d
        advertised.listeners=PLAINTEXT://%s
        controller.listener.names=CONTROLLER
        listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
        log.dirs=%s
        auto.create.topics.enable=false
        offsets.topic.replication.factor=%d
        share.coordinator.state.topic.replication.factor=%d
        transaction.state.log.replication.factor=%d
        message.max.bytes=%d
        replica.fetch.max.bytes=%d
        socket.request.max.bytes=%d
        log.retention.ms=-1
        connections.max.idle.ms=86400000
        broker.session.timeout.ms=3000
        broker.heartbeat.interval.ms=500
        controlled.shutdown.max.retries=1
        """
                .formatted(
                        member.number(),
                        all.stream().map(KafkaTransport::voter).collect(Collectors.joining(",")),
                        member.address().authority(),
                        member.address().host(),
                        member.peerPort(),
                        member.address().authority(),
                        Stored.data(member.folder()).toAbsolutePath(),
                        copies,
                        copies,
                        copies,
                        maxBytes,
                        maxBytes,
                        Math.max(maxBytes * 2, 100 << 20));
    }

    private static String voter(final ServerSpec.Member member) {
        return "%d@%s:%d".formatted(member.number(), member.address().host(), member.peerPort());
    }

    @Override
    protected Link connect(final BrokerChannel<KafkaParameters> channel) {
        return new KafkaLink(channel);
    }

    @Override
    protected String name(final BrokerChannel<KafkaParameters> channel, final Topic topic) {
        return channel.parameters().broker().prefix() + "." + topic.name();
    }

    static String storedName(final BrokerChannel<KafkaParameters> channel, final Topic topic) {
        return channel.parameters().broker().prefix() + "." + topic.name() + STORED;
    }

    /** What both ends of a channel report about it. */
    static Map<String, Object> facts(final BrokerChannel<KafkaParameters> channel) {
        final KafkaParameters parameters = channel.parameters();
        final Map<String, Object> facts = new TreeMap<>();
        facts.put("acks", parameters.acks().word());
        facts.put("idempotence", parameters.isIdempotent());
        facts.put("lingerMs", parameters.linger().toMillis());
        facts.put("batchBytes", parameters.batchBytes());
        facts.put("compressionType", parameters.compression().word());
        facts.put("flushMessages", parameters.flushMessages());
        facts.put("brokerStartedHere", channel.startsServers());
        facts.put("client", "kafka-clients " + AppInfoParser.getVersion());
        return facts;
    }

    /** A topic is used only where it is kept as the channel says. */
    @Override
    protected Map<String, Object> storedFacts(final BrokerChannel<KafkaParameters> channel) {
        final Map<String, Object> facts = facts(channel);
        facts.putAll(guarantees(channel).facts());
        return facts;
    }

    @Override
    protected Guarantees guarantees(final BrokerChannel<KafkaParameters> channel) {
        final KafkaParameters parameters = channel.parameters();
        final int quorum = parameters.acks() == KafkaParameters.Acks.ALL ? parameters.quorum() : 1;
        return new Guarantees(
                parameters.acks() == KafkaParameters.Acks.NONE
                        ? Durability.D0
                        : Durability.inFiles(
                                parameters.flushMessages() == 1,
                                parameters.acks() == KafkaParameters.Acks.ALL
                                        ? parameters.members()
                                        : 1),
                parameters.members(),
                quorum,
                switch (parameters.acks()) {
                    case NONE -> "no broker: it is in the socket";
                    case LEADER -> "the leader has written it";
                    case ALL ->
                            parameters.members() == 1
                                    ? "the broker has written it"
                                    : "all in sync have written it, at least %d of %d"
                                            .formatted(quorum, parameters.members());
                },
                synced(parameters),
                "in batches of up to %d B, waiting %d ms to fill"
                        .formatted(parameters.batchBytes(), parameters.linger().toMillis()),
                parameters.compression().word(),
                parameters.deletion());
    }

    private static String synced(final KafkaParameters parameters) {
        return switch (parameters.flushMessages()) {
            case 0 -> "when the system writes its page cache back";
            case 1 -> "each batch before it is acknowledged";
            default -> "after every %d messages".formatted(parameters.flushMessages());
        };
    }

    @Override
    public Duration patience(final ChannelUri channel) {
        return START_PATIENCE;
    }

    @Override
    protected DurablePublication durable(
            final BrokerChannel<KafkaParameters> channel, final Topic topic) {
        return KafkaDurablePublication.open(channel, storedName(channel, topic));
    }

    @Override
    protected DurableSubscription durable(
            final BrokerChannel<KafkaParameters> channel,
            final Topic topic,
            final long fromOrdinal) {
        return KafkaDurableSubscription.open(channel, storedName(channel, topic), fromOrdinal);
    }

    @Override
    protected StoredTopics stored(final BrokerChannel<KafkaParameters> channel) {
        return new Stored(channel);
    }

    /** The stored topics of a channel; offsets are the ordinals. */
    private record Stored(BrokerChannel<KafkaParameters> channel) implements StoredTopics {
        private String name(final Topic topic) {
            return storedName(channel, topic);
        }

        /** Where a broker keeps its segments. */
        static Path data(final Path memberFolder) {
            return memberFolder.resolve("data");
        }

        @Override
        public void awaitReady(final Runnable requireMajority) {
            Topics.ask(
                    channel,
                    topics -> {
                        if (channel.startsServers()) {
                            topics.awaitAll();
                        } else {
                            topics.requireBrokers(channel.parameters().members());
                        }
                        return 0;
                    });
        }

        @Override
        public long count(final Topic topic) {
            final Kept kept = kept(topic);
            return kept.end() - kept.first();
        }

        /** Offsets of the first message that is not deleted, and of the next one to come. */
        private record Kept(long first, long end) {}

        private Kept kept(final Topic topic) {
            final String name = name(topic);
            return Topics.ask(
                    channel,
                    name,
                    topics ->
                            new Kept(
                                    topics.offset(name, OffsetSpec.earliest()),
                                    topics.offset(name, OffsetSpec.latest())));
        }

        @Override
        public long read(final Topic topic, final long fromOrdinal, final MessageHandler handler) {
            final Kept kept = kept(topic);
            final long first = Math.max(fromOrdinal, kept.first());
            try (KafkaDurableSubscription reader =
                    KafkaDurableSubscription.open(channel, name(topic), first)) {
                return StoredTopics.readUpTo(reader, first, kept.end(), handler);
            }
        }

        /** The partition's log start offset. */
        @Override
        public long firstOrdinal(final Topic topic) {
            return kept(topic).first();
        }

        /** Topics of this channel, and no other. */
        @Override
        public void deleteAll() {
            Topics.ask(
                    channel,
                    topics -> {
                        topics.deleteAll(channel.parameters().broker().prefix() + ".");
                        return 0;
                    });
        }

        /** Deleted messages stay in a segment until all of its messages are deleted. */
        @Override
        public Source source() {
            return channel.parameters().deletion() == Deletion.ACKNOWLEDGED
                    ? Source.SERVERS_OR_FILES
                    : Source.FILES;
        }

        /**
         * Other members may have a tail that was never acknowledged, and lack acknowledged
         * messages.
         */
        @Override
        public OptionalInt leader(final Topic topic) {
            final String name = name(topic);
            return OptionalInt.of(Topics.ask(channel, name, topics -> topics.leader(name)));
        }

        @Override
        public StoredFiles files(final Path folder, final Topic topic) {
            return new LogFiles(data(folder), name(topic));
        }
    }
}
