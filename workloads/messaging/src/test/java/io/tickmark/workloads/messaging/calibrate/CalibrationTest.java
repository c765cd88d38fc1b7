package io.tickmark.workloads.messaging.calibrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.role.TestContext;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.time.VirtualClock;
import io.tickmark.transport.nulls.NullTransport;
import io.tickmark.workloads.messaging.calibrate.Calibrator.CalibrateSettings;
import io.tickmark.workloads.messaging.calibrate.Calibrator.Calibration;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class CalibrationTest {
    private final VirtualClock clock = new VirtualClock(1_000_000);
    private final TestContext context = new TestContext(1, 1, clock);
    private final Calibration calibration =
            new Calibration(
                    context,
                    new NullTransport(clock),
                    dueNs -> clock.jumpTo(Math.max(dueNs, clock.nanoTime())));

    static List<Scenario> scenarios() {
        return Scenario.ALL;
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void shouldMeasureExactlyWhatIsProgrammed(final Scenario scenario) {
        final Calibration.Measured measured = calibration.measure(3, scenario);

        assertThat(measured.sent()).isEqualTo(scenario.messages());
        assertThat(measured.counts()).containsAllEntriesOf(scenario.programmedCounts());
        final Histogram response = measured.recorded().latencies().get(Latencies.RESPONSE_NS);
        assertThat(response).isEqualTo(scenario.programmedResponse());
    }

    @Test
    void shouldKnowWhatIsProgrammed() {
        final Scenario stall = scenario("stall");

        assertThat(scenario("lost").programmedCounts()).containsEntry(Counts.LOST, 100L);
        assertThat(scenario("duplicated").programmedCounts())
                .containsEntry(Counts.DUPLICATED, 100L);
        assertThat(scenario("reordered").programmedCounts()).containsEntry(Counts.REORDERED, 50L);
        assertThat(stall.programmedResponse().getMaxValue()).isBetween(199_000_000L, 201_000_000L);
        assertThat(stall.programmedResponse().getPercentileAtOrBelowValue(60_000))
                .isBetween(79.0, 81.0);
    }

    /** Otherwise one late message would decide which of two times a percentile shows. */
    @ParameterizedTest
    @MethodSource("scenarios")
    void shouldCompareNoPercentileWhereTheProgrammedTimesJump(final Scenario scenario) {
        final Histogram truth = scenario.programmedResponse();

        for (final double percentile : List.of(50.0, 90.0, 99.0)) {
            for (final double beside : List.of(percentile - 0.2, percentile + 0.2)) {
                assertThat((double) truth.getValueAtPercentile(beside))
                        .as("p%s beside p%s", beside, percentile)
                        .isCloseTo(truth.getValueAtPercentile(percentile), withinPercentage(5));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"aeron:ipc", "udp://127.0.0.1:0", "null:?delay=1ms", "null:mine"})
    void shouldRefuseAChannelThatItWouldNotTouch(final String channel) {
        assertThatThrownBy(() -> check(Map.of("channel", channel)))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("--channel " + channel + ": a calibration measures")
                .hasMessageContaining("on null: alone");
        assertThatCode(() -> check(Map.of())).doesNotThrowAnyException();
    }

    private static void check(final Map<String, Object> values) {
        new Calibrator.Factory().check(Settings.read(CalibrateSettings.class, values, key -> key));
    }

    private static Scenario scenario(final String name) {
        return Scenario.ALL.stream().filter(s -> s.name().equals(name)).findFirst().orElseThrow();
    }
}
