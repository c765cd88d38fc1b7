package io.tickmark.engines.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Waiting;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerContractTest;
import io.tickmark.transport.broker.BrokerTransport;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.StoreServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.agrona.collections.MutableInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.config.ConfigResource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plain streams, all tests through one broker. */
class GivenBrokerContractTest extends BrokerContractTest {
    @Override
    protected BrokerTransport<?> transport() {
        return new KafkaTransport();
    }

    @Override
    protected List<String> refused() {
        return List.of("?prefix=a%20b", "?acks=leader&idempotence");
    }

    @Test
    @Timeout(180)
    void shouldLeaveTopicsAloneThatBeginAsTheGivenPrefixDoes(@TempDir final Path folder) {
        final KafkaTransport kafka = new KafkaTransport();
        final ChannelUri given =
                ChannelUri.parse("kafka://%s?prefix=orders".formatted(authority()));
        write(kafka, given);
        final ChannelUri used;
        try (StoreServer store = kafka.store(given, folder)) {
            store.start();
            used = store.endpoint();
            write(kafka, used);
            assertThat(store.verify(Topic.DEFAULT).messages()).isOne();
        }

        assertThat(used.parameters().get("prefix")).startsWith("orders.tickmark-");
        // the queried broker may learn of it a little later
        Waiting.until(() ->
                topics(given).stream().noneMatch(name -> name.startsWith("orders.tickmark-")));
        try (DurablePublication after = kafka.durablePublication(given, Topic.DEFAULT)) {
            assertThat(after.nextOrdinal()).isOne();
        }
    }

    /** Its statement about durability would be wrong. */
    @Test
    void shouldRefuseATopicThatIsKeptOtherwise() {
        final KafkaTransport kafka = new KafkaTransport();
        final ChannelUri given = channel();
        write(kafka, given.with("flushMessages", "1"));
        write(kafka, given.with("flushMessages", "1"), 1);
        assertThatThrownBy(() -> kafka.durablePublication(given, Topic.DEFAULT))
                .hasFieldOrPropertyWithValue("kind", UserError.Kind.ENVIRONMENT)
                .hasMessageContaining("exists with flush.messages=1, and the channel says");
    }

    /** With the next leader, what all in sync had acknowledged could be gone. */
    @Test
    @Timeout(180)
    void shouldRefuseATopicThatABrokerOutOfSyncMayLead() throws Exception {
        final KafkaTransport kafka = new KafkaTransport();
        final ChannelUri one = channel();
        write(kafka, one);
        set(one, "unclean.leader.election.enable", "true");
        set(one, "min.insync.replicas", "2"); // as for two copies, which this cluster cannot have

        final ChannelUri two = one.with("members", "2");
        final String sentence =
                "exists with unclean.leader.election.enable=true, so that a broker that lacks acknowledged messages may become"
                        + " its leader, and they are lost; set it to false there";
        Waiting.until(() ->
                refusal(kafka, two).filter(why -> why.getMessage().contains(sentence)).isPresent());
        assertThat(refusal(kafka, two).orElseThrow())
                .hasFieldOrPropertyWithValue("kind", UserError.Kind.ENVIRONMENT);
        assertThat(refusal(kafka, two.with("acks", "leader")).orElseThrow())
                .hasMessageContaining("exists with replication factor 1");
    }

    @Test
    @Timeout(180)
    void shouldTakeATopicThatOneBrokerAloneHasWhoeverMayLeadIt() throws Exception {
        final KafkaTransport kafka = new KafkaTransport();
        final ChannelUri given = channel();
        write(kafka, given);
        set(given, "unclean.leader.election.enable", "true");

        Waiting.until(() ->
                settings(kafka, given)
                        .get("unclean.leader.election.enable")
                        .value()
                        .equals("true")); // the broker knows it a moment later
        assertThat(refusal(kafka, given)).isEmpty();
    }

    /** What it acknowledged would be gone after a while. */
    @Test
    @Timeout(180)
    void shouldRefuseAStoredTopicWhoseMessagesTheBrokerDeletes() throws Exception {
        final KafkaTransport kafka = new KafkaTransport();
        final ChannelUri given = channel();
        write(kafka, given);
        set(given, "retention.bytes", "1000000");

        Waiting.until(
                () -> refusal(kafka, given).isPresent()); // the broker knows it a moment later
        assertThat(refusal(kafka, given).orElseThrow())
                .isInstanceOf(UserError.class)
                .hasMessageContaining(
                        "exists with retention.bytes=1000000, so that the broker deletes messages");
    }

    /** The channel promises that nothing is lost, and results say how batches are compressed. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "retention.bytes  | 1000000 | so that the broker deletes messages that nobody has received",
                "compression.type | gzip    | so that the broker compresses messages anew",
            })
    @Timeout(180)
    void shouldRefuseAPlainTopicThatDoesNotKeepMessagesAsTheChannelSays(
            final String key, final String value, final String sentence) throws Exception {
        final KafkaTransport kafka = new KafkaTransport();
        final ChannelUri given = channel();
        kafka.publication(given, Topic.DEFAULT).close();
        kafka.publication(given, Topic.DEFAULT).close();
        set(given, key, value);

        Waiting.until(
                () -> refusal(() -> kafka.publication(given, Topic.DEFAULT).close()).isPresent());
        assertThat(refusal(() -> kafka.subscription(given, Topic.DEFAULT).close()).orElseThrow())
                .isInstanceOf(UserError.class)
                .hasMessageContaining("exists with %s=%s, %s".formatted(key, value, sentence));
    }

    /** Whoever made it: its order and its places are those of one partition. */
    @Test
    @Timeout(180)
    void shouldUseTheFirstPartitionOfATopicWithSeveral(@TempDir final Path folder)
            throws Exception {
        final KafkaTransport kafka = new KafkaTransport();
        try (StoreServer store = kafka.store(channel(), folder)) {
            store.start();
            final ChannelUri given = store.endpoint();
            write(kafka, given);
            final String topic = KafkaTransport.storedName(kafka.channel(given), Topic.DEFAULT);
            try (Topics topics = new Topics(kafka.channel(given))) {
                topics.admin()
                        .createPartitions(Map.of(topic, NewPartitions.increaseTo(3)))
                        .all()
                        .get();
            }

            for (int ordinal = 1; ordinal < 10; ordinal++) {
                write(kafka, given, ordinal);
            }

            final MutableInteger delivered = new MutableInteger();
            try (DurableSubscription subscription =
                    kafka.durableSubscription(given, Topic.DEFAULT, 0)) {
                Waiting.until(() ->
                        delivered.addAndGet(subscription.poll((buffer, offset, length) -> {}, 10))
                                == 10);
                assertThat(subscription.ordinal()).isEqualTo(9);
            }
            assertThat(store.readBack(Topic.DEFAULT, 0, (buffer, offset, length) -> {}))
                    .isEqualTo(10);
        }
    }

    private static Optional<Throwable> refusal(
            final KafkaTransport kafka, final ChannelUri channel) {
        return refusal(() -> kafka.durablePublication(channel, Topic.DEFAULT).close());
    }

    private static Optional<Throwable> refusal(final ThrowingCallable opening) {
        return Optional.ofNullable(catchThrowable(opening));
    }

    @Test
    void shouldMakeTopicsFreeOfTheLimitsOfTheBroker() {
        final KafkaTransport kafka = new KafkaTransport();
        final ChannelUri given = channel();
        write(kafka, given);

        final Config found = settings(kafka, given);
        assertThat(
                        List.of(
                                "retention.ms",
                                "retention.bytes",
                                "cleanup.policy",
                                "unclean.leader.election.enable"))
                .allSatisfy(key ->
                        assertThat(found.get(key).source())
                                .isEqualTo(ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG));
    }

    /** Those of the stored topic, as the broker knows them now. */
    private static Config settings(final KafkaTransport kafka, final ChannelUri channel) {
        final ConfigResource topic =
                new ConfigResource(
                        ConfigResource.Type.TOPIC,
                        KafkaTransport.storedName(kafka.channel(channel), Topic.DEFAULT));
        try (Topics topics = new Topics(kafka.channel(channel))) {
            return topics.admin().describeConfigs(List.of(topic)).all().get().get(topic);
        } catch (final InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @Timeout(180)
    void shouldSayWhereATopicBeginsOfWhichTheBrokerHasDeleted(@TempDir final Path folder)
            throws Exception {
        final KafkaTransport kafka = new KafkaTransport();
        try (StoreServer store = kafka.store(channel(), folder)) {
            store.start();
            for (int ordinal = 0; ordinal < 3; ordinal++) {
                write(kafka, store.endpoint(), ordinal);
            }
            assertThat(store.firstOrdinal(Topic.DEFAULT)).isZero();
            final BrokerChannel<KafkaParameters> channel = kafka.channel(store.endpoint());
            try (Topics topics = new Topics(channel)) {
                topics.admin()
                        .deleteRecords(
                                Map.of(
                                        Topics.partition(
                                                KafkaTransport.storedName(channel, Topic.DEFAULT)),
                                        RecordsToDelete.beforeOffset(2)))
                        .all()
                        .get();
            }

            assertThat(store.firstOrdinal(Topic.DEFAULT)).isEqualTo(2);
            assertThat(store.readBack(Topic.DEFAULT, 0, (buffer, offset, length) -> {})).isOne();
        }
    }

    /** For all topics of a channel. */
    private static void set(final ChannelUri channel, final String key, final String value)
            throws InterruptedException, ExecutionException {
        final AlterConfigOp change =
                new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET);
        try (Topics topics = new Topics(new KafkaTransport().channel(channel))) {
            for (final String name : topics.admin().listTopics().names().get()) {
                if (name.startsWith(channel.parameters().get("prefix"))) {
                    topics.admin()
                            .incrementalAlterConfigs(
                                    Map.of(
                                            new ConfigResource(ConfigResource.Type.TOPIC, name),
                                            List.of(change)))
                            .all()
                            .get();
                }
            }
        }
    }

    /** The producer accepts the message, and the broker refuses it later. */
    @Test
    @Timeout(180)
    void shouldCountWhatABrokerRefusesBehindTheCall() throws Exception {
        final KafkaTransport kafka = new KafkaTransport();
        final ChannelUri given = channel();
        try (Exchange ours = kafka.exchange(given, Topic.DEFAULT, ExchangeSide.BIND, 0)) {
            assertThat(ours.note()).isEmpty();
            set(given, "max.message.bytes", "100");
            while (ours.note().isEmpty()) {
                ours.publication().offer(new UnsafeBuffer(new byte[1000]), 0, 1000);
                Thread.sleep(1);
            }

            assertThat(ours.note().orElseThrow())
                    .contains("that the producer had accepted")
                    .contains("larger than the max message size");
        }
    }

    private static void write(final KafkaTransport kafka, final ChannelUri channel) {
        write(kafka, channel, 0);
    }

    private static void write(
            final KafkaTransport kafka, final ChannelUri channel, final long ordinal) {
        try (DurablePublication publication = kafka.durablePublication(channel, Topic.DEFAULT)) {
            assertThat(publication.offer(new UnsafeBuffer(new byte[8]), 0, 8)).isEqualTo(ordinal);
            Waiting.until(() -> publication.stablePosition() >= ordinal);
        }
    }

    private static Set<String> topics(final ChannelUri channel) {
        try (Topics topics = new Topics(new KafkaTransport().channel(channel))) {
            return topics.admin().listTopics().names().get();
        } catch (final InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
