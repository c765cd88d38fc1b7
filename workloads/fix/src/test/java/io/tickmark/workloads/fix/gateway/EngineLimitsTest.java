package io.tickmark.workloads.fix.gateway;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.fix.gateway.EngineLimits.Supported;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EngineLimitsTest {
    private static void check(
            final Map<String, Object> given, final Map<String, Supported> supported) {
        EngineLimits.check(
                Settings.read(GatewaySettings.class, given, key -> key), "other", supported);
    }

    @ParameterizedTest
    @CsvSource({
        "username, me, --username",
        "password, secret, --password",
        "testMode, true, --test-mode",
        "maxMessageBytes, 1000, --max-message-bytes",
        "schedule, 07:00-17:30, --schedule",
        "tls, true, --tls",
        "thirdParties, DESK, --third-parties",
        "workers, 2, --workers",
        "subscriptions, symbol, --subscriptions",
        "slow, block, --slow",
        "slowBytes, 5000, --slow-bytes",
        "slowTime, 1s, --slow-time",
        "slowSessions, C1=block, --slow-sessions",
        "writeBytes, 2000, --write-bytes",
        "store, file, --store",
        "storeBytes, 0, --store-bytes",
        "idle, spin, --idle"
    })
    void shouldRefuseWhatAnEngineDoesNotFollow(
            final String key, final String value, final String option) {
        assertThatThrownBy(() -> check(Map.of(key, value), Map.of()))
                .isInstanceOf(UserError.class)
                .hasMessage(
                        option
                                + ": --engine other does not support it; leave it out, or use --engine tickmark.");
    }

    @Test
    void shouldTakeWhatItFollowsAndWhatIsAsByDefault() {
        assertThatCode(() ->
                        check(
                                Map.of(
                                        "channel", "other:",
                                        "producersPort", 5,
                                        "gatewayId", "HUB",
                                        "fanOut", "all",
                                        "slowTime", "5s",
                                        "username", "",
                                        "workers", 2),
                                Map.of("workers", Supported.ANY)))
                .doesNotThrowAnyException();
    }

    @Test
    void shouldRefuseValuesThatItDoesNotSupportWithItsOwnWords() {
        final Map<String, Supported> supported =
                Map.of("slow", Supported.only("cannot conflate", "drop", "block"));

        assertThatCode(() -> check(Map.of("slow", "block"), supported)).doesNotThrowAnyException();
        assertThatThrownBy(() -> check(Map.of("slow", "conflate"), supported))
                .isInstanceOf(UserError.class)
                .hasMessage("--slow: --engine other cannot conflate.");
        assertThatThrownBy(() -> check(Map.of("version", "fix-4-2"), supported))
                .hasMessage("--version: --engine other supports fix-4-4 only here.");
    }
}
