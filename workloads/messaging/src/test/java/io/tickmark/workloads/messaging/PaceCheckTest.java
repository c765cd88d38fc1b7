package io.tickmark.workloads.messaging;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PaceCheckTest {
    @ParameterizedTest
    @ValueSource(strings = {"ticks", "poisson", "bursts"})
    void shouldAskForTheRateThatAPaceSpreads(final String pace) {
        assertThatThrownBy(() -> check(Map.of("pace", pace)))
                .isInstanceOf(UserError.class)
                .hasMessage("--pace " + pace + ": spreads a rate; give one with --rate.");
        assertThatCode(() -> check(Map.of("pace", pace, "rate", "10k"))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sleep", "as-fast-as-possible"})
    void shouldRefuseARateThatAPaceWouldNotKeep(final String pace) {
        assertThatThrownBy(() -> check(Map.of("pace", pace, "rate", "10k")))
                .isInstanceOf(UserError.class)
                .hasMessage(
                        "--pace "
                                + pace
                                + ": does not keep to a rate; leave --rate out (or 0), or give another pace.");
        assertThatCode(() -> check(Map.of("pace", pace, "rate", "0"))).doesNotThrowAnyException();
    }

    @Test
    void shouldLetAFixedPaceBeWithoutARate() {
        assertThatCode(() -> check(Map.of("pace", "fixed"))).doesNotThrowAnyException();
        assertThatCode(() -> check(Map.of("sizes", "64"))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "sleep, 5ms, sleep",
        "burstOn, 1ms, bursts",
        "burstOff, 1ms, bursts",
        "ticksPerSecond, 100, ticks"
    })
    void shouldRefuseWhatOnlyAnotherPaceHeeds(
            final String key, final String value, final String owner) {
        final String refusal =
                "--%1$s: belongs to --pace %2$s; give it, or leave this out.".formatted(key, owner);
        assertThatThrownBy(() -> check(Map.of(key, value, "rate", "10k")))
                .isInstanceOf(UserError.class)
                .hasMessage(refusal);
        assertThatThrownBy(() -> check(Map.of(key, value, "pace", "poisson", "rate", "10k")))
                .isInstanceOf(UserError.class)
                .hasMessage(refusal);
        final String rate = owner.equals("sleep") ? "0" : "10k";
        assertThatCode(() -> check(Map.of(key, value, "pace", owner, "rate", rate)))
                .doesNotThrowAnyException();
    }

    /** A search sets the rate of each trial, the combinations of a matrix set theirs. */
    @Test
    void shouldSayNothingOfWhatComesLater() {
        assertThatCode(() -> check(Map.of("pace", "poisson"), "rate")).doesNotThrowAnyException();
        assertThatCode(() -> check(Map.of("sleep", "5ms"), "pace")).doesNotThrowAnyException();
        assertThatThrownBy(() -> check(Map.of("pace", "poisson", "sleep", "5ms"), "rate"))
                .isInstanceOf(UserError.class);
    }

    private static void check(final Map<String, Object> values, final String... later) {
        PaceCheck.check(values, Set.of(later), key -> "--" + key);
    }
}
