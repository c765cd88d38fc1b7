package io.tickmark.engines.nats;

import static io.tickmark.transport.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.Topic;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.store.Durability;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three servers, three replicas. */
class JetStreamClusterTest extends JetStreamTesting {
    @BeforeEach
    void start() {
        start("jetstream:?replicas=3");
    }

    @Test
    void shouldKeepEachMessageOnceAndInOrderWhenOneMemberIsKilledAndWhenAllAre() {
        assertThat(store.members()).isEqualTo(3);
        assertThat(transport.guarantees(store.endpoint()).durability()).isEqualTo(Durability.D3);
        assertThat(transport.guarantees(store.endpoint()).quorum()).isEqualTo(2);
        try (DurablePublication publication =
                        transport.durablePublication(store.endpoint(), Topic.DEFAULT);
                DurableSubscription subscription =
                        transport.durableSubscription(store.endpoint(), Topic.DEFAULT, 0)) {
            offer(publication, 0, 1000);
            store.kill(1); // the clients are connected to it
            offer(publication, 1000, 2000);
            store.restart(1);
            offer(publication, 2000, 2500);
            until(
                    () -> "all are stable: " + publication.facts(),
                    () -> stable(publication) == 2499);
            until("all are read", () -> poll(subscription) >= 2500);
        }
        assertThat(read).containsExactlyElementsOf(ordinals(0, 2500));
        killAll();

        assertThat(readBack()).containsExactlyElementsOf(ordinals(0, 2500));
        assertThat(store.verify(Topic.DEFAULT).messages()).isEqualTo(2500);

        // One of three answers no request about the stream, as when its disk is full.
        store.kill(1);
        store.kill(2);
        assertThatThrownBy(this::readBack)
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no server reported how many messages it has");
        assertThat(read).containsExactlyElementsOf(ordinals(0, 2500));
    }

    /** Another member would store it in the place of what was on its way to the killed one. */
    @Test
    void shouldWriteNothingMoreOnceItsConnectionBrokeWhereMessagesHaveNoIds() throws Exception {
        final BrokerChannel<JetStreamParameters> channel =
                transport.channel(
                        store.endpoint()
                                .with("dedup", "false")
                                .with("ackTimeout", "600s")
                                .with("sendPendingBytes", "262144"));
        try (JetStreamPublication publication = JetStreamPublication.open(channel, Topic.DEFAULT)) {
            offer(publication, 0, 1);
            until("the first is stable", () -> stable(publication) == 0);
            breakWhileItWrites(publication);

            awaitEndOfClient(publication);
            assertThat(publication.failure()).isEmpty();
        }
        store.restart(1);
        assertThat(readBack()).containsExactly(0L);
    }

    private void killAll() {
        try (DurablePublication publication =
                transport.durablePublication(store.endpoint(), Topic.DEFAULT)) {
            for (int member = 1; member <= 3; member++) {
                store.kill(member);
            }
            until("the store is lost", () -> findsNobody(publication));
        }
        for (int member = 1; member <= 3; member++) {
            store.restart(member);
        }
    }
}
