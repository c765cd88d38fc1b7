package io.tickmark.workloads.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.time.Schedule;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PaceSettingsTest {
    private static PaceSettings pace(final Map<String, ?> values) {
        return Settings.read(PaceSettings.class, values, key -> key);
    }

    @Test
    void shouldTakeRatesOutOfReachForAsFastAsPossible() {
        assertThat(pace(Map.of("rate", "999999999")).isPaced()).isFalse();
        assertThat(pace(Map.of("rate", "550k")).isPaced()).isTrue();
        assertThat(pace(Map.of()).isPaced()).isFalse();
        assertThat(pace(Map.of("rate", "550k", "pace", "as-fast-as-possible")).isPaced()).isFalse();
        assertThat(pace(Map.of("rate", "999999999")).word()).isEqualTo("as-fast-as-possible");
        assertThat(pace(Map.of("pace", "sleep")).word()).isEqualTo("sleep");
    }

    @Test
    void shouldRefuseARateThatWouldTakeYears() {
        assertThatThrownBy(() -> pace(Map.of("rate", "0.0001")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--rate 1.0E-4")
                .hasMessageContaining("0 for none");
    }

    @Test
    void shouldPlanWithTheMeanRate() {
        assertThat(pace(Map.of("rate", 1000)).meanRatePerSecond()).isEqualTo(1000);
        assertThat(
                        pace(Map.of(
                                        "rate",
                                        1000,
                                        "pace",
                                        "bursts",
                                        "burstOn",
                                        "10ms",
                                        "burstOff",
                                        "90ms"))
                                .meanRatePerSecond())
                .isEqualTo(100);
        assertThat(pace(Map.of("pace", "sleep", "sleep", "1ms")).meanRatePerSecond())
                .isEqualTo(1000);
    }

    @Test
    void shouldReportHowLongAPaceIsSilent() {
        assertThat(pace(Map.of()).longestGapNs()).isZero();
        assertThat(pace(Map.of("rate", 0.5)).longestGapNs()).isEqualTo(2_000_000_000L);
        assertThat(pace(Map.of("rate", 10, "pace", "poisson")).longestGapNs())
                .isEqualTo(1_000_000_000L);
        assertThat(pace(Map.of("rate", 1000, "pace", "bursts", "burstOff", "15s")).longestGapNs())
                .isEqualTo(15_001_000_000L);
        assertThat(pace(Map.of("pace", "sleep", "sleep", "3s")).longestGapNs())
                .isEqualTo(3_000_000_000L);
        assertThat(pace(Map.of("rate", 2, "pace", "ticks")).longestGapNs()).isEqualTo(500_000_000L);
    }

    /** Against the schedules themselves; no more than a half above, where there are many. */
    @ParameterizedTest
    @CsvSource({
        "fixed, 10000",
        "fixed, 3",
        "ticks, 10000",
        "ticks, 3",
        "poisson, 10000",
        "poisson, 3",
        "bursts, 10000",
        "bursts, 3"
    })
    void shouldKnowHowManyMessagesAreDueWithinAnyTime(final String name, final double rate) {
        final PaceSettings settings =
                pace(
                        Map.of(
                                "rate",
                                rate,
                                "pace",
                                name,
                                "ticksPerSecond",
                                10,
                                "burstOn",
                                "300ms",
                                "burstOff",
                                "700ms"));
        final Schedule schedule = settings.schedule();
        schedule.start(0);
        final long[] due = new long[50_000];
        for (int i = 0; i < due.length; i++) {
            due[i] = schedule.nextNs(0);
        }
        for (final long withinNs : new long[] {50_000_000, 1_000_000_000, 1_900_000_000}) {
            int most = 0;
            int first = 0;
            for (int last = 0; last < due.length; last++) {
                while (due[last] - due[first] > withinNs) {
                    first++;
                }
                most = Math.max(most, last - first + 1);
            }
            assertThat(settings.mostWithin(withinNs))
                    .as("within %d ns", withinNs)
                    .isGreaterThanOrEqualTo(most)
                    .isLessThanOrEqualTo(1.5 * most + 150);
        }
    }

    @Test
    void shouldMakeTheScheduleOfEachPace() {
        assertThat(pace(Map.of("rate", 10)).schedule().ratePerSecond()).isEqualTo(10);
        assertThat(pace(Map.of("rate", 10, "pace", "poisson")).schedule().ratePerSecond())
                .isEqualTo(10);
        final Schedule ticks =
                pace(Map.of("rate", 100, "pace", "ticks", "ticksPerSecond", 10)).schedule();
        ticks.start(0);
        assertThat(ticks.nextNs(0)).isEqualTo(ticks.nextNs(0));
        final Schedule sleeps = pace(Map.of("pace", "sleep", "sleep", "50us")).schedule();
        sleeps.start(0);
        sleeps.nextNs(0);
        assertThat(sleeps.nextNs(7)).isEqualTo(50_007);
        for (final String pace : List.of("fixed", "ticks", "poisson", "bursts")) {
            assertThat(pace(Map.of("pace", pace)).schedule().ratePerSecond()).isZero();
        }
    }

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
        PaceSettings.check(values, Set.of(later), key -> "--" + key);
    }
}
