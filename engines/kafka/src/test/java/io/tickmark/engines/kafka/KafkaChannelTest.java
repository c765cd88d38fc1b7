package io.tickmark.engines.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tickmark.kernel.host.FreePort;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.Topic;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.SilentServer;
import io.tickmark.transport.store.Deletion;
import io.tickmark.transport.store.Durability;
import io.tickmark.transport.store.Guarantees;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** It takes the connection and says nothing. */
    @Test
    void shouldSayThatASilentServerIsNoBroker(@TempDir final Path folder) throws Exception {
        final Consumer<UserError> sentence =
                said ->
                        assertThat(said)
                                .hasMessageContaining(
                                        "no Kafka broker answers there: what listens does not speak its")
                                .hasMessageContaining("?start");
        try (SilentServer silent = new SilentServer()) {
            silent.refuses(transport, "", folder, sentence);
        }
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

    /** Some that speak Kafka's protocol report few settings; it was an unexpected error. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "min.insync.replicas",
                "flush.messages",
                "compression.type",
                "retention.ms",
                "cleanup.policy"
            })
    void shouldRefuseATopicOfWhichTheBrokerDoesNotReportASetting(final String missing) {
        final ChannelUri uri = ChannelUri.parse("kafka://127.0.0.1:9092");
        final BrokerChannel<KafkaParameters> channel =
                new BrokerChannel<>(
                        uri, List.of(HostPort.of(uri)), uri.read(KafkaParameters.class));
        final Map<String, String> all =
                Map.of(
                        "min.insync.replicas", "1",
                        "flush.messages", "9223372036854775807",
                        "compression.type", "producer",
                        "unclean.leader.election.enable", "false",
                        "retention.ms", "-1",
                        "retention.bytes", "-1",
                        "cleanup.policy", "delete");
        final List<ConfigEntry> reported =
                all.entrySet().stream()
                        .map(each -> new ConfigEntry(each.getKey(), each.getValue()))
                        .toList();
        new Topics.ReportedSettings(channel, "t", new Config(reported)).require(all);

        final List<ConfigEntry> without =
                reported.stream().filter(entry -> !entry.name().equals(missing)).toList();
        final List<ConfigEntry> withoutValue =
                Stream.concat(without.stream(), Stream.of(new ConfigEntry(missing, null))).toList();
        for (final List<ConfigEntry> few : List.of(without, withoutValue)) {
            assertThatThrownBy(() ->
                            new Topics.ReportedSettings(channel, "t", new Config(few)).require(all))
                    .hasFieldOrPropertyWithValue("kind", UserError.Kind.ENVIRONMENT)
                    .hasMessageContaining(
                            "topic 't' exists, and the broker does not say whether its %s is "
                                    .formatted(missing));
        }
        assertThatThrownBy(() -> new Topics.ReportedSettings(channel, "t", null).require(all))
                .isInstanceOf(UserError.class);
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
