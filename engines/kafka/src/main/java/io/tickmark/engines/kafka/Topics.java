package io.tickmark.engines.kafka;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.broker.BoundedClose;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.Patience;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Topics of one partition, created where they do not exist, and queried. Control threads only. */
final class Topics implements AutoCloseable {
    private static final String MIN_IN_SYNC = "min.insync.replicas";
    private static final String FLUSH_MESSAGES = "flush.messages";

    /** With it a broker that is not in sync may lead a topic, and what it lacks is lost. */
    private static final String UNCLEAN_LEADERS = "unclean.leader.election.enable";

    private static final String COMPRESSION = "compression.type";

    /** With this a broker stores batches as the producer has compressed them. */
    private static final String AS_SENT = "producer";

    /** With these a broker deletes nothing by itself, whatever its own settings say. */
    private static final Map<String, String> KEPT =
            Map.of("retention.ms", "-1", "retention.bytes", "-1", "cleanup.policy", "delete");

    private static final int REQUEST_MS = 10_000;
    private static final Duration FENCED = Duration.ofSeconds(20);
    private static final Duration LEADERLESS = Duration.ofSeconds(60);
    private static final Duration LOOK = Duration.ofMillis(20);

    private final BrokerChannel<KafkaParameters> channel;
    private final Admin admin;

    Topics(final BrokerChannel<KafkaParameters> channel) {
        this.channel = channel;
        final Properties properties = Clients.common(channel);
        properties.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_MS);
        properties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, REQUEST_MS);
        admin = Admin.create(properties);
    }

    Admin admin() {
        return admin;
    }

    static TopicPartition partition(final String topic) {
        return new TopicPartition(topic, 0);
    }

    /** Asks brokers that answer; what their client refuses becomes a sentence. */
    static <T> T ask(
            final BrokerChannel<KafkaParameters> channel, final Function<Topics, T> question) {
        Clients.requireAnswer(channel);
        try (Topics topics = new Topics(channel)) {
            return question.apply(topics);
        } catch (final KafkaException e) {
            throw Clients.refused(channel, e);
        }
    }

    /** The same for a topic, which is created where it does not exist. */
    static <T> T ask(
            final BrokerChannel<KafkaParameters> channel,
            final String topic,
            final Function<Topics, T> question) {
        return ask(
                channel,
                topics -> {
                    topics.ensure(topic);
                    return question.apply(topics);
                });
    }

    /** Creates a topic where it does not exist, and waits until it has a leader. */
    private void ensure(final String topic) {
        final KafkaParameters parameters = channel.parameters();
        final int flushMessages = parameters.flushMessages();
        final Map<String, String> settings = new HashMap<>(KEPT);
        settings.put(MIN_IN_SYNC, Integer.toString(parameters.quorum()));
        settings.put(UNCLEAN_LEADERS, "false");
        settings.put(COMPRESSION, AS_SENT);
        settings.put("max.message.bytes", Integer.toString(parameters.mostBatchBytes()));
        settings.put(
                FLUSH_MESSAGES, Long.toString(flushMessages == 0 ? Long.MAX_VALUE : flushMessages));
        final NewTopic wanted =
                new NewTopic(topic, 1, (short) parameters.members()).configs(settings);
        if (isMade(wanted)) {
            awaitLeaders(List.of(topic));
        } else {
            requireSettings(wanted);
            requireCopies(topic, replicas(awaitLeaders(List.of(topic))).size());
        }
    }

    /**
     * False where there is one of that name. On a busy machine a broker can miss heartbeats for so
     * long that it is fenced for a moment, and one of ours that was just restarted can be slow to
     * answer: then the request is repeated.
     */
    private boolean isMade(final NewTopic wanted) {
        try {
            new Patience(FENCED, LOOK)
                    .ask(
                            () -> answer(admin.createTopics(List.of(wanted)).all()),
                            refusal -> mayPass(refusal.getCause()));
            return true;
        } catch (final ExecutionException e) {
            if (e.getCause() instanceof TopicExistsException) {
                return false;
            }
            throw refused("topic '" + wanted.name() + "' cannot be made", e.getCause());
        }
    }

    private boolean mayPass(final Throwable refusal) {
        return refusal instanceof InvalidReplicationFactorException
                || channel.startsServers()
                        && refusal instanceof org.apache.kafka.common.errors.TimeoutException;
    }

    private void requireSettings(final NewTopic wanted) {
        final ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, wanted.name());
        final Config found =
                get(
                                "the settings of topic '" + wanted.name() + "' cannot be read",
                                admin.describeConfigs(List.of(topic)).all())
                        .get(topic);
        new ReportedSettings(channel, wanted.name(), found).require(wanted.configs());
    }

    private static UserError different(
            final BrokerChannel<KafkaParameters> channel,
            final String topic,
            final String found,
            final String wanted) {
        return channel.failed(
                "topic '%s' exists with %s, and the channel says %s; delete it, or give another ?prefix="
                        .formatted(topic, found, wanted),
                null);
    }

    /**
     * What brokers say of a topic that exists: it must keep messages as the channel says, because
     * what is reported depends on it.
     *
     * @param channel of the topic
     * @param topic its name
     * @param found its settings; null where they say nothing of it
     */
    record ReportedSettings(BrokerChannel<KafkaParameters> channel, String topic, Config found) {
        /** Refuses a topic that does not keep messages as the wanted settings say. */
        void require(final Map<String, String> wanted) {
            for (final String key : List.of(MIN_IN_SYNC, FLUSH_MESSAGES)) {
                final String value = value(key, wanted.get(key));
                if (!value.equals(wanted.get(key))) {
                    throw different(channel, topic, key + "=" + value, wanted.get(key));
                }
            }
            if (channel.parameters().outlivesLeader()) {
                require(
                        UNCLEAN_LEADERS,
                        "false",
                        "a broker that lacks acknowledged messages may become its leader, and they are lost");
            }
            require(COMPRESSION, AS_SENT, "the broker compresses messages anew");
            KEPT.forEach((key, needed) ->
                    require(key, needed, "the broker deletes messages that nobody has received"));
        }

        private void require(final String key, final String needed, final String otherwise) {
            final String value = value(key, needed);
            if (!value.equals(needed)) {
                throw channel.failed(
                        "topic '%s' exists with %s=%s, so that %s; set it to %s there, delete the topic, or give another ?prefix="
                                .formatted(topic, key, value, otherwise, needed),
                        null);
            }
        }

        /** Not all that speak Kafka's protocol report all of its settings. */
        private String value(final String key, final String needed) {
            final ConfigEntry entry = found == null ? null : found.get(key);
            if (entry == null || entry.value() == null) {
                throw channel.failed(
                        "topic '%s' exists, and the broker does not say whether its %s is %s; delete it, or give another ?prefix="
                                .formatted(topic, key, needed),
                        null);
            }
            return entry.value();
        }
    }

    /** Also two and three copies need two in sync, so that its settings do not show the number. */
    private void requireCopies(final String topic, final int copies) {
        final int members = channel.parameters().members();
        if (copies != members) {
            throw different(channel, topic, "replication factor " + copies, "members=" + members);
        }
    }

    /** Refuses a cluster that has fewer. */
    void requireBrokers(final int count) {
        final int found =
                get("its brokers cannot be listed", admin.describeCluster().nodes()).size();
        if (found < count) {
            throw channel.failed(
                    "?members=%d asks for that many brokers, and the cluster has %d"
                            .formatted(count, found),
                    null);
        }
    }

    private Set<String> all() {
        return get("its topics cannot be listed", admin.listTopics().names());
    }

    /** Deletes the topics with this prefix. */
    void deleteAll(final String prefix) {
        final List<String> ours = all().stream().filter(name -> name.startsWith(prefix)).toList();
        get("its topics cannot be deleted", admin.deleteTopics(ours).all());
    }

    /** Waits until all topics that exist can be written to. */
    void awaitAll() {
        awaitLeaders(all());
    }

    private Collection<TopicDescription> awaitLeaders(final Collection<String> topics) {
        final Patience patience = new Patience(LEADERLESS, LOOK);
        while (true) {
            final Collection<TopicDescription> found = described(topics);
            if (found.size() == topics.size() && found.stream().allMatch(this::hasLeader)) {
                return found;
            }
            if (!patience.lasts()) {
                throw channel.failed(
                        "not enough brokers have the topics %s in sync".formatted(topics), null);
            }
        }
    }

    /** None where the queried broker does not know all of them yet. */
    private Collection<TopicDescription> described(final Collection<String> topics) {
        try {
            return answer(admin.describeTopics(topics).allTopicNames()).values();
        } catch (final ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return List.of();
            }
            throw refused("its topics cannot be described", e.getCause());
        }
    }

    private boolean hasLeader(final TopicDescription topic) {
        final TopicPartitionInfo partition = topic.partitions().getFirst();
        final int enough = Math.min(channel.parameters().quorum(), partition.replicas().size());
        return partition.leader() != null
                && !partition.leader().isEmpty()
                && partition.isr().size() >= enough;
    }

    /** Who has copies of a topic: a channel may name few of the brokers of its cluster. */
    Watch.Copies copies(final String topic) {
        if (channel.startsServers()) {
            return Watch.Copies.ofOurs(channel.addresses());
        }
        final List<Node> brokers = replicas(awaitLeaders(List.of(topic)));
        return new Watch.Copies(brokers.size(), running(brokers), false);
    }

    /** Where those that have copies of a topic run now. */
    static List<InetSocketAddress> running(
            final BrokerChannel<KafkaParameters> channel, final String topic) {
        return ask(
                channel,
                topics -> {
                    final Collection<TopicDescription> found = topics.described(List.of(topic));
                    if (found.isEmpty()) {
                        throw channel.failed("topic '" + topic + "' is not known there", null);
                    }
                    return running(replicas(found));
                });
    }

    private static List<Node> replicas(final Collection<TopicDescription> topic) {
        return topic.iterator().next().partitions().getFirst().replicas();
    }

    private static List<InetSocketAddress> running(final List<Node> brokers) {
        return brokers.stream()
                .filter(broker -> !broker.isEmpty())
                .map(broker -> new InetSocketAddress(broker.host(), broker.port()))
                .toList();
    }

    /** The number of the broker that leads a topic. */
    int leader(final String topic) {
        final Node leader =
                get(
                                "topic '" + topic + "' cannot be asked for its leader",
                                admin.describeTopics(List.of(topic)).allTopicNames())
                        .get(topic)
                        .partitions()
                        .getFirst()
                        .leader();
        if (leader == null || leader.isEmpty()) {
            throw channel.failed("topic '" + topic + "' has lost its leader", null);
        }
        return leader.id();
    }

    /** The offset of the next message, or of the first one. */
    long offset(final String topic, final OffsetSpec which) {
        return get(
                        "topic '" + topic + "' cannot be asked for its offsets",
                        admin.listOffsets(Map.of(partition(topic), which)).all())
                .get(partition(topic))
                .offset();
    }

    private <T> T get(final String refused, final KafkaFuture<T> future) {
        try {
            return answer(future);
        } catch (final ExecutionException e) {
            throw refused(refused, e.getCause());
        }
    }

    private <T> T answer(final KafkaFuture<T> future) throws ExecutionException {
        try {
            return future.get(2L * REQUEST_MS, TimeUnit.MILLISECONDS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw channel.failed("the request was interrupted", e);
        } catch (final TimeoutException e) {
            throw new ExecutionException(e);
        }
    }

    private UserError refused(final String what, final Throwable cause) {
        return cause instanceof org.apache.kafka.common.errors.TimeoutException
                        || cause instanceof TimeoutException
                ? Clients.unanswered(channel, cause)
                : channel.failed(what + ": " + EngineErrors.said(cause), cause);
    }

    @Override
    public void close() {
        BoundedClose.of(() -> admin.close(Duration.ofSeconds(5)));
    }
}
