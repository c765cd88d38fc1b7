package io.tickmark.transport.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.StoreServer;
import org.junit.jupiter.api.Test;

/** What holds for engines whose stored topics are queues of one subscriber at their server. */
public abstract class QueueFaultTests extends ServerFaultTests {
    /** For tests of an engine. */
    protected QueueFaultTests() {}

    @Test
    void shouldCountAnAcknowledgementThatItsServerDidNotTake() {
        final ChannelUri channel = SharedStore.given();
        try (DurablePublication publication =
                        transport().durablePublication(channel, Topic.DEFAULT);
                DurableSubscription subscription =
                        transport().durableSubscription(channel, Topic.DEFAULT, 0)) {
            write(publication, LENGTH);
            write(publication, LENGTH);
            until(() -> {
                subscription.poll((buffer, offset, length) -> {}, 1);
                return subscription.ordinal() == 1;
            });
            SharedStore.store().kill(1);
            until(() -> !subscription.isConnected());

            subscription.acknowledge(1);
            subscription.acknowledge(1);

            assertThat(subscription.engineErrors().orElseThrow())
                    .contains("The server did not accept an acknowledgement");
            assertThat(subscription.facts()).containsEntry("acknowledgementsRefused", 1L);
        } finally {
            SharedStore.store().restart(1);
        }
    }

    @Test
    void shouldSayThatATopicHasASubscriberAndNotCallLostWhatThatHas() {
        final StoreServer store = transport().store(SharedStore.given(), folder);
        store.start();
        final ChannelUri channel = store.endpoint();
        try (DurableSubscription first =
                        transport().durableSubscription(channel, Topic.DEFAULT, 0);
                DurablePublication publication =
                        transport().durablePublication(channel, Topic.DEFAULT)) {
            write(publication, LENGTH);
            assertThat(
                            checked(() ->
                                    transport()
                                            .durableSubscription(channel, Topic.DEFAULT, 0)
                                            .close()))
                    .hasMessageContaining("has another subscriber");
            assertThat(checked(() -> store.readBack(Topic.DEFAULT, 0, (b, o, l) -> {})))
                    .hasMessageContaining("has a subscriber, so not all of it can be read");
            assertThat(first.isConnected()).isTrue();
        }
        store.close();
    }

    /** The newest is never acknowledged at the server, so that the queue shows where it ends. */
    @Test
    void shouldGoOnCountingWhereAllWasDeliveredOrAcknowledged() {
        final ChannelUri channel = SharedStore.given();
        try (DurableSubscription subscription =
                transport().durableSubscription(channel, Topic.DEFAULT, 0)) {
            for (int sent = 0; sent < 5; sent++) {
                try (DurablePublication publication =
                        transport().durablePublication(channel, Topic.DEFAULT)) {
                    assertThat(publication.stablePosition()).isEqualTo(sent - 1);
                    write(publication, LENGTH);
                    until(() -> subscription.poll((buffer, offset, length) -> {}, 1) > 0);
                    subscription.acknowledge(subscription.ordinal());
                }
            }
        }
        try (DurablePublication publication =
                transport().durablePublication(channel, Topic.DEFAULT)) {
            assertThat(publication.nextOrdinal()).isEqualTo(5);
        }
    }
}
