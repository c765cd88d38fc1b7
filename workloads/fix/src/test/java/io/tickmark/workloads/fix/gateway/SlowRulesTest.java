package io.tickmark.workloads.fix.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.fix.gateway.GatewaySettings.SlowPolicy;
import io.tickmark.workloads.fix.gateway.SlowRules.SlowLimits;
import io.tickmark.workloads.fix.trial.Trial;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which policy holds for which session. */
class SlowRulesTest {
    private static final SlowLimits OTHERS = new SlowLimits(SlowPolicy.DROP, 100_000, 5_000);

    @Test
    void shouldTakeTheFirstRuleThatFits() {
        final SlowRules rules =
                new SlowRules(
                        OTHERS,
                        List.of("VIP1=block", "VIP*=conflate:200000", "C7=disconnect:4096:2s"));
        assertThat(rules.of("VIP1")).isEqualTo(new SlowLimits(SlowPolicy.BLOCK, 100_000, 5_000));
        assertThat(rules.of("VIP12"))
                .isEqualTo(new SlowLimits(SlowPolicy.CONFLATE, 200_000, 5_000));
        assertThat(rules.of("C7"))
                .isEqualTo(new SlowLimits(SlowPolicy.DISCONNECT, 4096, 2_000_000_000L));
        assertThat(rules.of("C77")).isEqualTo(OTHERS);
        assertThat(rules.mostBytes()).isEqualTo(200_000);
        assertThat(rules.conflates()).isTrue();
        assertThat(new SlowRules(OTHERS, List.of()).conflates()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '"',
            value = {
                "block; it has no CompID",
                "=block; it has no CompID",
                "C1=stop; 'stop' is not one of drop, conflate, disconnect, block",
                "C1=drop:many; 'many' is not a number of bytes",
                "C1=drop:5; '5' is not a number of bytes",
                "C1=drop:5000:soon; soon",
                "C1=drop:5000:0; its time must be longer than 0",
            })
    void shouldSayWhatIsWrongWithARule(final String text, final String sentence) {
        assertThatThrownBy(() -> new SlowRules(OTHERS, List.of(text)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--slow-sessions '" + text + "'")
                .hasMessageContaining(sentence);
    }

    /**
     * Two that stop reading, beside others or on a separate thread: one is disconnected, for the
     * other messages are withheld.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldTreatEachSessionAsItsRuleSays(final int threads) throws Exception {
        try (Trial trial =
                new Trial(Map.of())
                        .gateway(
                                Map.of(
                                        "slow", "disconnect",
                                        "slowBytes", 1 << 25,
                                        "slowTime", "60s",
                                        "slowSessions",
                                                "CONSUMER1=disconnect:100000:500ms,CONSUMER2=drop:100000:500ms"))
                        .consumers(Map.of("consumers", 4, "stalled", 2, "threads", threads))
                        .producers(
                                Map.of(
                                        "producers", 2,
                                        "messages", 10_000,
                                        "rate", 5_000,
                                        "every", 1,
                                        "warmUp", "200ms"))
                        .start()) {
            assertThat(trial.count("consumers", "received")).isEqualTo(2 * 20_000);
            assertThat(trial.count("gateway", "cutOff")).isEqualTo(1);
            assertThat(trial.count("gateway", "dropped")).isPositive();
            assertThat(trial.context("gateway").lines()).contains("CONSUMER1 ended: too slow");
        }
    }
}
