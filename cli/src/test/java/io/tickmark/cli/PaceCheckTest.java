package io.tickmark.cli;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
                                + ": keeps to no rate; leave --rate out, or give another pace.");
        assertThatCode(() -> check(Map.of("pace", pace, "rate", "0"))).doesNotThrowAnyException();
    }

    @Test
    void shouldLetAFixedPaceBeWithoutARate() {
        assertThatCode(() -> check(Map.of("pace", "fixed"))).doesNotThrowAnyException();
        assertThatCode(() -> check(Map.of("sizes", "64"))).doesNotThrowAnyException();
    }

    private static void check(final Map<String, Object> values) {
        PaceCheck.check(values, key -> "--" + key);
    }
}
