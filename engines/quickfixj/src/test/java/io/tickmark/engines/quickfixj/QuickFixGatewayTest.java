package io.tickmark.engines.quickfixj;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.fix.gateway.Gateway;
import io.tickmark.workloads.fix.gateway.GatewaySettings;
import io.tickmark.workloads.fix.trial.RawClient;
import io.tickmark.workloads.fix.trial.Trial;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuickFixGatewayTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldServeTheSameClients(final int workers) throws Exception {
        try (Trial trial =
                new Trial(Map.of())
                        .gateway(Map.of("channel", "quickfixj:", "workers", workers))
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

    /** As the gateway of this project reports them. */
    @Test
    void shouldDistinguishProducersByTheirPortWhereTheyHaveOne() throws Exception {
        try (Trial trial =
                new Trial(Map.of())
                        .gateway(Map.of("channel", "quickfixj:", "workers", 1))
                        .consumers(Map.of("consumers", 2, "consumerPrefix", "PRODUCER"))
                        .producers(
                                Map.of(
                                        "producerPrefix", "FEED",
                                        "messages", 50,
                                        "rate", 500,
                                        "every", 1))
                        .start()) {
            assertThat(trial.count("producers", "rejectsReceived")).isZero();
            assertThat(trial.count("consumers", "received")).isEqualTo(100);
        }
    }

    /** Answers of the library itself were not reported. */
    @Test
    void shouldCountWhatTheLibraryRejects() throws Exception {
        try (Trial trial =
                        new Trial(Map.of())
                                .gateway(
                                        Map.of(
                                                "channel",
                                                "quickfixj:",
                                                "workers",
                                                1,
                                                "exitAtEnd",
                                                false))
                                .start();
                RawClient consumer =
                        RawClient.withHeartbeats(trial.port("fixConsumers"), "CONSUMER1", 30)) {
            consumer.raw("8=FIX.4.4|9=5|35=0|10=999|"); // it appears only in the library's log
            consumer.say("W", "55=EURUSD|268=0|"); // nothing from a consumer is accepted
            final String answer = consumer.hear();
            assertThat(answer).matches("[3j]\\|.*");
            trial.stop("gateway");
            assertThat(trial.count("gateway", "rejectsSent")).isOne();
            assertThat(trial.result("gateway").warnings())
                    .contains("1 message was rejected and reached no consumer.")
                    .anyMatch(line -> line.matches("The engine wrote \\d+ errors to its log.*"));
            assertThat(trial.result("gateway").failure())
                    .startsWith("The gateway delivered nothing to any consumer");
        }
    }

    @Test
    void shouldDeclareItsOwnThreads() {
        assertThat(
                        new Gateway.Factory()
                                .hotThreads(
                                        Settings.read(
                                                GatewaySettings.class,
                                                Map.of("channel", "quickfixj:", "workers", 3),
                                                key -> key),
                                        1,
                                        1))
                .extracting(HotThread::name)
                .containsExactly("quickfixj-sockets", "quickfixj-sessions");
    }

    @ParameterizedTest
    @CsvSource({
        "username, me, --username",
        "password, secret, --password",
        "schedule, 07:00-17:30, --schedule",
        "testMode, true, --test-mode",
        "maxMessageBytes, 4096, --max-message-bytes",
        "slowBytes, 8192, --slow-bytes",
        "storeBytes, 8192, --store-bytes"
    })
    void shouldRefuseWhatItDoesNotFollow(
            final String key, final String value, final String option) {
        assertThatThrownBy(() ->
                        new Trial(Map.of()).gateway(Map.of("channel", "quickfixj", key, value)))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith(option + ": --engine quickfixj does not support it");
    }

    @Test
    void shouldSayWhatItCannotDo() {
        assertThatThrownBy(() ->
                        new Trial(Map.of())
                                .gateway(Map.of("channel", "quickfixj", "slow", "conflate")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--engine quickfixj cannot conflate");
    }
}
