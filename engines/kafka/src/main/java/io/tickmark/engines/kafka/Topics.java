package io.tickmark.engines.kafka;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.broker.BrokerChannel;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.SystemNanoClock;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
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
    /** Of a batch with one message: headers of both, and headroom. */
    static final int BATCH_OVERHEAD_BYTES = 4096;

    private static final String MIN_IN_SYNC = "min.insync.replicas";
    private static final String FLUSH_MESSAGES = "flush.messages";
    private static final int REQUEST_MS = 10_000;
    private static final long FENCED_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long LOOK_NS = 20_000_000;

    private final BrokerChannel<KafkaParameters> channel;
    private final Admin admin;

    Topics(final BrokerChannel<KafkaParameters> channel) {
        this.channel = channel;
        final Properties properties = new Properties();
        properties.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, channel.authority());
        properties.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_MS);
        properties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, REQUEST_MS);
        properties.put(AdminClientConfig.RECONNECT_BACKOFF_MS_CONFIG, 20);
        properties.put(AdminClientConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 200);
        admin = Admin.create(properties);
    }

    Admin admin() {
        return admin;
    }

    static TopicPartition partition(final String topic) {
        return new TopicPartition(topic, 0);
    }

    /** Creates a topic where it does not exist, and waits until it has a leader. */
    void ensure(final String topic) {
        final KafkaParameters parameters = channel.parameters();
        final NewTopic wanted =
                new NewTopic(topic, 1, (short) parameters.members())
                        .configs(
                                Map.of(
                                        MIN_IN_SYNC,
                                        Integer.toString(parameters.quorum()),
                                        "max.message.bytes",
                                        Integer.toString(
                                                parameters.broker().maxPayloadBytes()
                                                        + BATCH_OVERHEAD_BYTES),
                                        "retention.ms",
                                        "-1",
                                        FLUSH_MESSAGES,
                                        Long.toString(
                                                parameters.flushMessages() == 0
                                                        ? Long.MAX_VALUE
                                                        : parameters.flushMessages())));
        if (!isMade(wanted)) {
            requireSame(wanted);
        }
        awaitLeaders(List.of(topic));
    }

    /**
     * False where there is one of that name. On a busy machine a broker can miss heartbeats for so
     * long that it is fenced for a moment, and one of ours that was just restarted can be slow to
     * answer: then the request is repeated.
     */
    private boolean isMade(final NewTopic wanted) {
        final long startNs = SystemNanoClock.INSTANCE.nanoTime();
        while (true) {
            try {
                get(admin.createTopics(List.of(wanted)).all());
                return true;
            } catch (final ExecutionException e) {
                if (e.getCause() instanceof TopicExistsException) {
                    return false;
                }
                if (!mayPass(e.getCause())
                        || SystemNanoClock.INSTANCE.nanoTime() - startNs > FENCED_NS) {
                    throw refused("topic '" + wanted.name() + "' cannot be made", e.getCause());
                }
                LockSupport.parkNanos(LOOK_NS);
            }
        }
    }

    private boolean mayPass(final Throwable refusal) {
        return refusal instanceof InvalidReplicationFactorException
                || channel.startsServers()
                        && refusal instanceof org.apache.kafka.common.errors.TimeoutException;
    }

    /** An existing topic must keep messages as the channel says: its durability depends on that. */
    private void requireSame(final NewTopic wanted) {
        final ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, wanted.name());
        try {
            final Config found = get(admin.describeConfigs(List.of(topic)).all()).get(topic);
            for (final String key : List.of(MIN_IN_SYNC, FLUSH_MESSAGES)) {
                final String value = found.get(key).value();
                if (!value.equals(wanted.configs().get(key))) {
                    throw channel.wrong(
                            "topic '%s' exists with %s=%s, and the channel says %s; delete it, or give another ?prefix="
                                    .formatted(
                                            wanted.name(), key, value, wanted.configs().get(key)));
                }
            }
        } catch (final ExecutionException e) {
            throw refused(
                    "the settings of topic '" + wanted.name() + "' cannot be read", e.getCause());
        }
    }

    /** Refuses a cluster that has fewer. */
    void requireBrokers(final int count) {
        try {
            final int found = get(admin.describeCluster().nodes()).size();
            if (found < count) {
                throw channel.wrong(
                        "?members=%d asks for that many brokers, and the cluster has %d"
                                .formatted(count, found));
            }
        } catch (final ExecutionException e) {
            throw refused("its brokers cannot be listed", e.getCause());
        }
    }

    /** Deletes the topics with this prefix. */
    void deleteAll(final String prefix) {
        try {
            final List<String> ours =
                    get(admin.listTopics().names()).stream()
                            .filter(name -> name.startsWith(prefix))
                            .toList();
            get(admin.deleteTopics(ours).all());
        } catch (final ExecutionException e) {
            throw refused("its topics cannot be deleted", e.getCause());
        }
    }

    /** Waits until all topics that exist can be written to. */
    void awaitAll() {
        try {
            awaitLeaders(List.copyOf(get(admin.listTopics().names())));
        } catch (final ExecutionException e) {
            throw refused("its topics cannot be listed", e.getCause());
        }
    }

    private void awaitLeaders(final List<String> topics) {
        final long startNs = SystemNanoClock.INSTANCE.nanoTime();
        while (!haveLeaders(topics)) {
            if (SystemNanoClock.INSTANCE.nanoTime() - startNs > PATIENCE_NS) {
                throw channel.failed(
                        "not enough brokers have the topics %s in sync".formatted(topics), null);
            }
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    private boolean haveLeaders(final List<String> topics) {
        try {
            for (final TopicDescription topic :
                    get(admin.describeTopics(topics).allTopicNames()).values()) {
                final TopicPartitionInfo partition = topic.partitions().getFirst();
                final int enough =
                        Math.min(channel.parameters().quorum(), partition.replicas().size());
                if (partition.leader() == null
                        || partition.leader().isEmpty()
                        || partition.isr().size() < enough) {
                    return false;
                }
            }
            return true;
        } catch (final ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return false; // the queried broker does not know it yet
            }
            throw refused("its topics cannot be described", e.getCause());
        }
    }

    /** The number of the broker that leads a topic, which is created where it does not exist. */
    int leader(final String topic) {
        ensure(topic);
        try {
            final Node leader =
                    get(admin.describeTopics(List.of(topic)).allTopicNames())
                            .get(topic)
                            .partitions()
                            .getFirst()
                            .leader();
            if (leader == null || leader.isEmpty()) {
                throw channel.failed("topic '" + topic + "' has lost its leader", null);
            }
            return leader.id();
        } catch (final ExecutionException e) {
            throw refused("topic '" + topic + "' cannot be asked for its leader", e.getCause());
        }
    }

    /** The offset of the next message, or of the first one. */
    long offset(final String topic, final OffsetSpec which) {
        try {
            return get(admin.listOffsets(Map.of(partition(topic), which)).all())
                    .get(partition(topic))
                    .offset();
        } catch (final ExecutionException e) {
            throw refused("topic '" + topic + "' cannot be asked for its offsets", e.getCause());
        }
    }

    private <T> T get(final KafkaFuture<T> future) throws ExecutionException {
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
        if (cause instanceof org.apache.kafka.common.errors.TimeoutException
                || cause instanceof TimeoutException) {
            return channel.failed(
                    "no Kafka broker answers there; start one, or let it be started with ?start",
                    cause);
        }
        final String said = String.valueOf(cause.getMessage()).strip();
        return channel.failed(
                what + ": " + (said.endsWith(".") ? said.substring(0, said.length() - 1) : said),
                cause);
    }

    @Override
    public void close() {
        admin.close(java.time.Duration.ofSeconds(5));
    }
}
