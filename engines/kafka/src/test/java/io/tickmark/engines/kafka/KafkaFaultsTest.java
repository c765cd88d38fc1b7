package io.tickmark.engines.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import io.tickmark.transport.broker.BrokerStoreTransport;
import io.tickmark.transport.broker.ServerFaultTests;
import io.tickmark.transport.broker.SharedStore;
import io.tickmark.transport.broker.Standstill;
import io.tickmark.transport.store.DurablePublication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A broker that stands still; what it refuses is in the tests of its channel and its store. */
@ExtendWith(SharedKafka.class)
class KafkaFaultsTest extends ServerFaultTests {
    @Override
    protected BrokerStoreTransport<?> transport() {
        return new KafkaTransport();
    }

    @Override
    protected ChannelUri narrow() {
        return SharedStore.given().with("bufferBytes", "262144");
    }

    /** They would have the places of messages that come before them. */
    @Test
    void shouldStoreNothingBehindAMessageThatWasRefused() {
        final ChannelUri channel = SharedStore.given().with("batchBytes", "0");
        // a topic whose batches may have 4160 bytes
        transport()
                .durablePublication(channel.with("maxPayloadBytes", "64"), Topic.DEFAULT)
                .close();
        try (DurablePublication publication =
                transport().durablePublication(channel, Topic.DEFAULT)) {
            write(publication, LENGTH);
            try (Standstill _ = new Standstill()) {
                assertThat(publication.offer(message, 0, 10_000)).isOne();
                for (int sent = 2; sent < 50; sent++) {
                    assertThat(publication.offer(message, 0, LENGTH)).isEqualTo(sent);
                }
            }
            until(publication::isLost);
            assertThat(publication.failure()).startsWith("message 1 was refused: ");
            assertThat(publication.stablePosition()).isZero();
        }
        try (DurablePublication publication =
                transport().durablePublication(channel, Topic.DEFAULT)) {
            assertThat(publication.nextOrdinal()).isOne();
        }
    }

    /** Where batches have no numbers, it may have stored later ones in the place of it. */
    @Test
    void shouldNotTrustThePlacesOfABrokerThatRefusedAMessageBeforeItEnded() {
        final ChannelUri channel =
                SharedStore.given().with("acks", "leader").with("batchBytes", "0");
        transport()
                .durablePublication(channel.with("maxPayloadBytes", "64"), Topic.DEFAULT)
                .close();
        try (DurablePublication publication =
                        transport().durablePublication(channel, Topic.DEFAULT);
                DurablePublication watching =
                        transport().durablePublication(SharedStore.given(), Topic.DEFAULT)) {
            write(publication, LENGTH);
            until(() -> publication.offer(message, 0, 10_000) == 1);
            until(() -> publication.trouble().startsWith("message 1 was refused: "));
            SharedStore.store().kill(1);
            until(() -> watching.isLost() && publication.isLost());

            assertThat(publication.failure()).startsWith("message 1 was refused: ");
        } finally {
            SharedStore.store().restart(1);
        }
    }
}
