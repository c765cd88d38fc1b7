package io.tickmark.engines.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tickmark.kernel.host.FreePort;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.Deletion;
import io.tickmark.transport.store.Durability;
import io.tickmark.transport.store.Guarantees;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

/** Errors of channels before a broker has to run. */
class KafkaChannelTest {
    private final KafkaTransport transport = new KafkaTransport();

    @Test
    void shouldSayThatNoBrokerAnswers() throws IOException {
        final int port = FreePort.tcp();
        final UserError error = refused("kafka://127.0.0.1:" + port);

        assertThat(error.kind()).isEqualTo(UserError.Kind.ENVIRONMENT);
        assertThat(error).hasMessageContaining("no Kafka broker answers there");
    }

    @Test
    void shouldSayThatAPortIsInUse() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            final UserError error = refused("kafka://127.0.0.1:" + taken.getLocalPort() + "?start");

            assertThat(error.kind()).isEqualTo(UserError.Kind.ENVIRONMENT);
            assertThat(error)
                    .hasMessageEndingWith(
                            "port %d is in use; choose another, or 0 for any free one."
                                    .formatted(taken.getLocalPort()));
        }
    }

    private UserError refused(final String channel) {
        return catchThrowableOfType(
                UserError.class,
                () ->
                        transport.exchange(
                                ChannelUri.parse(channel), Topic.DEFAULT, ExchangeSide.BIND, 0));
    }

    @Test
    void shouldSayWhatAStorePromises() {
        assertThat(guarantees("kafka:").durability()).isEqualTo(Durability.D1);
        assertThat(guarantees("kafka:?acks=none").durability()).isEqualTo(Durability.D0);
        assertThat(guarantees("kafka:?flushMessages=1").durability()).isEqualTo(Durability.D2);
        assertThat(guarantees("kafka:?flushMessages=100").durability()).isEqualTo(Durability.D1);
        assertThat(guarantees("kafka:?members=3").durability()).isEqualTo(Durability.D3);
        assertThat(guarantees("kafka:?members=3").quorum()).isEqualTo(2);
        assertThat(guarantees("kafka:?members=3&acks=leader").durability())
                .isEqualTo(Durability.D1);
        assertThat(guarantees("kafka:?members=3&flushMessages=1").durability())
                .isEqualTo(Durability.D4);
        assertThat(guarantees("kafka:?compression=lz4&deletion=acknowledged"))
                .extracting(Guarantees::compression, Guarantees::deletion)
                .containsExactly("lz4", Deletion.ACKNOWLEDGED);
    }

    private Guarantees guarantees(final String channel) {
        return transport.guarantees(ChannelUri.parse(channel));
    }
}
