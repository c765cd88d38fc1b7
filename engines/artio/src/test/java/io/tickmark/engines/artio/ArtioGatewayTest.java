package io.tickmark.engines.artio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.fix.gateway.Gateway;
import io.tickmark.workloads.fix.gateway.GatewaySettings;
import io.tickmark.workloads.fix.trial.RawClient;
import io.tickmark.workloads.fix.trial.Trial;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArtioGatewayTest {
    private static final List<String> TYPES = List.of("AE", "AD", "W", "X", "AD");

    @Test
    void shouldServeTheSameClients() throws Exception {
        try (Trial trial =
                new Trial(Map.of())
                        .gateway(Map.of("channel", "artio:"))
                        .consumers(Map.of("consumers", 4))
                        .producers(
                                Map.of(
                                        "producers",
                                        3,
                                        "messages",
                                        200,
                                        "rate",
                                        1000,
                                        "every",
                                        4,
                                        "warmUp",
                                        "200ms"))
                        .start()) {
            assertThat(trial.count("consumers", "received")).isEqualTo(600);
            assertThat(trial.count("consumers", "expected")).isEqualTo(600);
            assertThat(trial.count("consumers", "corrupted")).isZero();
            assertThat(trial.count("gateway", "gatewayOut")).isGreaterThanOrEqualTo(600);
        }
    }

    /** Logons, heartbeats and Logouts do not count, and are not sent to consumers. */
    @Test
    void shouldCountMessagesOfTheApplicationAlone() throws Exception {
        try (Trial trial =
                new Trial(Map.of())
                        .gateway(Map.of("channel", "artio:", "fanOut", "all"))
                        .consumers(Map.of("consumers", 2))
                        .producers(Map.of("producers", 2, "messages", 50, "rate", 500, "every", 1))
                        .start()) {
            assertThat(trial.count("consumers", "received")).isEqualTo(200);
            assertThat(trial.count("gateway", "gatewayIn"))
                    .as("with each producer's last word")
                    .isEqualTo(2 * (50 + 1));
            assertThat(trial.count("gateway", "gatewayOut")).isEqualTo(2 * 2 * (50 + 1));
        }
    }

    /** Types of two characters may share the first one. */
    @Test
    void shouldGiveEachMessageOnUnderItsType() throws Exception {
        try (Trial trial =
                        new Trial(Map.of())
                                .gateway(Map.of("channel", "artio:", "fanOut", "all"))
                                .consumers(Map.of()) // waits until Artio listens
                                .start();
                RawClient consumer =
                        RawClient.withHeartbeats(trial.port("fixConsumers"), "CONSUMER2", 60);
                RawClient producer =
                        RawClient.withHeartbeats(trial.port("fixProducers"), "PRODUCER1", 60)) {
            consumer.settle(); // Artio has passed both to the gateway
            producer.settle();
            for (final String type : TYPES) {
                producer.say(type, "55=X|268=0|");
            }
            for (final String type : TYPES) {
                assertThat(consumer.hear()).isEqualTo(type + "|55=X|268=0|");
            }
            consumer.say("W", "55=X|268=0|");
            for (final RawClient client : List.of(consumer, producer)) {
                client.say("5", "");
                assertThat(client.hear()).startsWith("5|");
            }
            trial.stop("gateway");
            assertThat(trial.result("gateway").warnings())
                    .as("nobody takes anything of a consumer, and Artio rejects nothing")
                    .contains("1 message of a consumer was neither accepted nor rejected.");
        }
    }

    /** Artio disconnects a consumer that does not read, whatever its policy. */
    @Test
    void shouldReportAConsumerThatArtioCutOff() throws Exception {
        try (Trial trial =
                        new Trial(Map.of())
                                .gateway(
                                        Map.of(
                                                "channel",
                                                "artio:",
                                                "fanOut",
                                                "all",
                                                "exitAtEnd",
                                                false,
                                                "slowBytes",
                                                65_536))
                                .consumers(Map.of()) // waits until Artio listens
                                .start();
                RawClient silent =
                        RawClient.withHeartbeats(trial.port("fixConsumers"), "CONSUMER2", 60);
                RawClient producer =
                        RawClient.withHeartbeats(trial.port("fixProducers"), "PRODUCER1", 60)) {
            silent.settle(); // Artio has passed both to the gateway
            producer.settle();
            final String text = "x".repeat(4000);
            for (int i = 0; i < 4000; i++) { // more than the system's buffers take
                producer.say("W", "55=X|58=" + text + "|268=0|");
            }
            producer.settle();
            trial.stop("gateway");
            assertThat(trial.result("gateway").warnings())
                    .as("the trial's own consumer may be as slow on a busy machine")
                    .containsAnyOf(
                            "1 consumer was cut off because it was slow.",
                            "2 consumers were cut off because they were slow.");
        }
    }

    @Test
    void shouldLogProducersOutWhereItIsStopped() throws Exception {
        try (Trial trial =
                        new Trial(Map.of())
                                .gateway(Map.of("channel", "artio:", "exitAtEnd", false))
                                .consumers(Map.of()) // waits until Artio listens
                                .start();
                RawClient producer =
                        RawClient.withHeartbeats(trial.port("fixProducers"), "PRODUCER1", 60)) {
            producer.settle();
            trial.stop("gateway");
            assertThat(producer.hear()).startsWith("5|");
        }
    }

    @Test
    void shouldDeclareItsOwnThreads() {
        assertThat(
                        new Gateway.Factory()
                                .hotThreads(
                                        Settings.read(
                                                GatewaySettings.class,
                                                Map.of("channel", "artio:"),
                                                key -> key),
                                        1,
                                        1))
                .extracting(HotThread::name)
                .containsExactly("artio-framer", "artio-library", "artio-driver");
    }

    @ParameterizedTest
    @CsvSource({
        "username, me, --username",
        "storeBytes, 8192, --store-bytes",
        "store, file, --store",
        "workers, 2, --workers",
        "slow, block, --slow",
        "consumersPort, 3005, --consumers-port",
        "idle, spin, --idle"
    })
    void shouldRefuseWhatItDoesNotFollow(
            final String key, final String value, final String option) {
        assertThatThrownBy(
                        () -> new Trial(Map.of()).gateway(Map.of("channel", "artio", key, value)))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith(option + ": --engine artio ");
    }

    @Test
    void shouldSayWhatItCannotDo() {
        assertThatThrownBy(() ->
                        new Trial(Map.of())
                                .gateway(Map.of("channel", "artio", "version", "fix-4-2")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--engine artio supports fix-4-4 only here");
    }
}
