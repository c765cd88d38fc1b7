package io.tickmark.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.host.SettingCosts;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class QuickCommandTest {
    @Test
    void shouldSayWhatEachSettingCosts() {
        final SettingCosts costs =
                new SettingCosts(
                        24.6,
                        1_251,
                        0.0042,
                        61_000,
                        OptionalLong.of(9_000),
                        "",
                        0.55,
                        OptionalDouble.of(0.61),
                        "");

        assertThat(
                        QuickCommand.costs(
                                costs,
                                Map.of(
                                        "kernel", Map.of("clockSource", "tsc"),
                                        "cpu",
                                                Map.of(
                                                        "governor",
                                                        "powersave",
                                                        "idleStates",
                                                        List.of("C1 2 us", "C6 133 us")))))
                .containsExactly(
                        "Clock (tsc): a reading takes 24.6 ns.",
                        "Sleep states (C1 2 us, C6 133 us): a thread that sleeps for 200 us is woken 61.0 us late, 9.00 us where"
                                + " cores are kept awake.",
                        "Governor (powersave): after 20.0 ms without work a core has 55.0 % of its speed at first.",
                        "Siblings: a core has 61.0 % of its speed while its sibling is busy.",
                        "Interrupts and other disturbances: a thread that spins is held up 1,251 times a second, for"
                                + " 0.420 % of the time.");
    }

    @Test
    void shouldSayWhatCouldNotBeSwitched() {
        final SettingCosts costs =
                new SettingCosts(
                        24.6,
                        0,
                        0,
                        61_000,
                        OptionalLong.empty(),
                        "permission denied",
                        1,
                        OptionalDouble.empty(),
                        "Not pinned to core 3: invalid argument.");

        assertThat(QuickCommand.costs(costs, Map.of()))
                .contains(
                        "Sleep states: a thread that sleeps for 200 us is woken 61.0 us late, and cores cannot be kept awake for"
                                + " comparison (permission denied).",
                        "Siblings: not measured. Not pinned to core 3: invalid argument.");
    }

    @Test
    void shouldSayThatNoTwoCpusShareACore() {
        final SettingCosts costs =
                new SettingCosts(
                        24.6, 0, 0, 0, OptionalLong.of(0), "", 1, OptionalDouble.empty(), "");

        assertThat(QuickCommand.costs(costs, Map.of()))
                .contains("Siblings: none are seen; a virtual machine can hide them.");
    }
}
