package io.tickmark.engines.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Waiting;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.StoreServer;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cluster that runs already, of which the channel names one broker. */
class OneOfSeveralBrokersTest {
    private final KafkaTransport kafka = new KafkaTransport();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);

    /** It used to call the store broken at once, and lost when the one broker ended. */
    @Test
    @Timeout(300)
    void shouldCallTheStoreServedWhileEnoughBrokersHaveIt(@TempDir final Path folder) {
        try (StoreServer store =
                kafka.store(ChannelUri.parse("kafka:?members=3&brokerHeapMib=200"), folder)) {
            store.start();
            final ChannelUri one =
                    ChannelUri.parse(
                            "kafka://%s?members=3&deletion=acknowledged&prefix=given"
                                    .formatted(store.endpoint().authority().split(",")[0]));
            try (DurablePublication publication = kafka.durablePublication(one, Topic.DEFAULT);
                    DurableSubscription subscription =
                            kafka.durableSubscription(one, Topic.DEFAULT, 0)) {
                pass(publication, subscription);
                subscription.acknowledge(subscription.ordinal());
                subscription.settleAcknowledgements();

                assertThat(subscription.isConnected()).isTrue();
                assertThat(subscription.engineErrors()).isEmpty();
                assertThat(subscription.facts()).containsEntry("deletionsRefused", 0L);

                store.kill(1);
                pass(publication, subscription);

                assertThat(publication.isLost()).isFalse();
                assertThat(publication.trouble()).isEmpty();
                assertThat(subscription.isConnected()).isTrue();
            }
        }
    }

    /** It used to be served although two of three brokers had ended. */
    @Test
    @Timeout(300)
    void shouldCountABrokerThatHadEndedBeforeAnEndWasOpened(@TempDir final Path folder) {
        try (StoreServer store =
                kafka.store(ChannelUri.parse("kafka:?members=3&brokerHeapMib=200"), folder)) {
            store.start();
            final ChannelUri third =
                    ChannelUri.parse(
                            "kafka://%s?members=3&prefix=given"
                                    .formatted(store.endpoint().authority().split(",")[2]));
            kafka.durablePublication(third, Topic.DEFAULT).close();
            store.kill(1);
            Waiting.until("the cluster knows it", () -> running(third).size() == 2);
            try (DurableSubscription subscription =
                    kafka.durableSubscription(third, Topic.DEFAULT, 0)) {
                assertThat(subscription.isConnected()).isTrue();

                store.kill(2);

                Waiting.until("one more is missing", () -> !subscription.isConnected());
            }
        }
    }

    /** Two and three copies need two in sync, so that the settings of the topic are the same. */
    @Test
    @Timeout(300)
    void shouldRefuseATopicWithAnotherNumberOfCopies(@TempDir final Path folder) {
        try (StoreServer store =
                kafka.store(ChannelUri.parse("kafka:?members=3&brokerHeapMib=200"), folder)) {
            store.start();
            final ChannelUri given =
                    ChannelUri.parse(
                            "kafka://%s?prefix=given".formatted(store.endpoint().authority()));
            final ChannelUri two = given.with("members", "2");
            kafka.durablePublication(two, Topic.DEFAULT).close();
            kafka.durablePublication(two, Topic.DEFAULT).close();

            assertThatThrownBy(() ->
                            kafka.durablePublication(given.with("members", "3"), Topic.DEFAULT))
                    .hasFieldOrPropertyWithValue("kind", UserError.Kind.ENVIRONMENT)
                    .hasMessageContaining(
                            "exists with replication factor 2, and the channel says members=3; delete it");
        }
    }

    private List<InetSocketAddress> running(final ChannelUri uri) {
        final BrokerChannel<KafkaParameters> channel = kafka.channel(uri);
        return Topics.running(channel, KafkaTransport.storedName(channel, Topic.DEFAULT));
    }

    /** Passes a message, which is stable when two brokers in sync have it. */
    private void pass(
            final DurablePublication publication, final DurableSubscription subscription) {
        final long ordinal = publication.nextOrdinal();
        Waiting.until(() -> publication.offer(message, 0, message.capacity()) == ordinal);
        Waiting.until(() -> publication.stablePosition() == ordinal);
        Waiting.until(() -> {
            subscription.poll((buffer, offset, length) -> {}, 1);
            return subscription.ordinal() == ordinal;
        });
    }
}
