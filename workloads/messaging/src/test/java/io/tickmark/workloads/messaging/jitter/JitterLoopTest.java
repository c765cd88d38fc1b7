package io.tickmark.workloads.messaging.jitter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.role.TestContext;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.messaging.jitter.JitterLoop.JitterSettings;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.NanoClock;
import org.junit.jupiter.api.Test;

class JitterLoopTest {
    /** A reading takes 50 ns or the given time, and each thousandth about 2 ms. */
    private static final class Clock implements NanoClock {
        private final long passNs;
        private final long thousandthNs;
        private long readings;
        private long nowNs;

        Clock() {
            this(50, 2_000_000);
        }

        Clock(final long passNs, final long thousandthNs) {
            this.passNs = passNs;
            this.thousandthNs = thousandthNs;
        }

        @Override
        public long nanoTime() {
            readings++;
            nowNs += readings % 1000 == 0 ? thousandthNs : passNs;
            return nowNs;
        }
    }

    private static RoleResult run(final TestContext context, final Map<String, Object> settings) {
        try (JitterLoop loop =
                new JitterLoop(
                        Settings.read(JitterSettings.class, settings, key -> key), context)) {
            loop.prepare();
            loop.connect(Endpoints.NONE);
            return loop.run(0);
        }
    }

    @Test
    void shouldMissNoGap() {
        final RoleResult result = run(new TestContext(1, 1, new Clock()), Map.of("loops", 10_000));

        final Histogram passes = result.steps().getFirst().latencies().get(JitterLoop.PASS_NS);
        assertThat(passes.getTotalCount()).isEqualTo(10_000);
        assertThat(result.metrics())
                .containsEntry("minNs", 50L)
                .containsEntry("maxNs", 2_000_000L)
                .containsEntry("passes", 10_000L);
        final double seconds = result.steps().getFirst().durationNs() / 1e9;
        assertThat((double) result.metrics().get("gapsFrom1msPerSecond") * seconds)
                .isBetween(9.9, 10.1);
        assertThat(result.metrics()).containsEntry("gapsFrom10msPerSecond", 0.0);
        assertThat((double) result.metrics().get("stolenPercent")).isBetween(97.0, 98.0);
    }

    /** Ten stalls of 2 ms within 20.5 ms: nearly every moment meets one. */
    @Test
    void shouldReportWhatAMessageDueAtARandomMomentWouldWait() {
        final RoleResult result = run(new TestContext(1, 1, new Clock()), Map.of("loops", 10_000));

        final double watchedNs = result.steps().getFirst().durationNs();
        assertThat((double) result.metrics().get("stallWaitMeanNs"))
                .isCloseTo(10 * 2e6 * 2e6 / (2 * watchedNs), withinPercentage(0.2));
        assertThat((double) (long) result.metrics().get("stallWaitP90Ns"))
                .isCloseTo(2e6 - 0.1 * watchedNs / 10, withinPercentage(0.1));
        assertThat((double) (long) result.metrics().get("stallWaitP9999Ns"))
                .isCloseTo(2e6 - 0.0001 * watchedNs / 10, withinPercentage(0.1));
    }

    /** This many turns take tens of microseconds without any stall. */
    @Test
    void shouldNotTakeItsOwnTurnsForStalls() {
        final RoleResult calm =
                run(new TestContext(1, 1, new Clock(20_000, 20_900)), Map.of("loops", 10_000));
        final RoleResult away =
                run(new TestContext(1, 1, new Clock(20_000, 32_000)), Map.of("loops", 10_000));

        assertThat(calm.metrics())
                .containsEntry("minNs", 20_000L)
                .containsEntry("maxNs", 20_900L)
                .containsEntry("gapsFrom1usPerSecond", 0.0)
                .containsEntry("stolenPercent", 0.0)
                .containsEntry("stallWaitMeanNs", 0.0)
                .containsEntry("stallWaitP90Ns", 0L);
        final double watchedNs = away.steps().getFirst().durationNs();
        assertThat((double) away.metrics().get("stolenPercent"))
                .as("ten stalls of 12 us")
                .isCloseTo(100 * 10 * 12_000 / watchedNs, withinPercentage(0.1));
        assertThat((double) away.metrics().get("stallWaitMeanNs"))
                .isCloseTo(10 * 12e3 * 12e3 / (2 * watchedNs), withinPercentage(0.5));
    }

    @Test
    void shouldSayWhoseAGapWas() {
        final JitterLoop.GapOwners owners = new JitterLoop.GapOwners();

        owners.add(
                1_000_000, 10_000_000, 9_000_000, 200_000, false); // a program, beside a compiler
        owners.add(2_000_000, 10_000_000, 8_000_000, 5_000_000, false); // the collector
        owners.add(400_000, 10_000_000, 9_600_000, 0, true); // a safepoint
        owners.add(3_000_000, 10_000_000, 10_000_000, 9_000_000, false); // the hypervisor

        assertThat(owners.byProgramsNs()).isEqualTo(800_000);
        assertThat(owners.byJvmNs()).isEqualTo(200_000 + 2_000_000 + 400_000);
        assertThat(owners.onCoreNs()).isEqualTo(3_000_000);
        assertThat(owners.maxByJvmNs()).isEqualTo(2_000_000);
    }

    @Test
    void shouldChargeEveryGapToSomebody() {
        final RoleResult result = run(new TestContext(1, 1, new Clock()), Map.of("loops", 10_000));

        final double charged =
                (double) result.metrics().get("stolenByJvmPercent")
                        + (double) result.metrics().get("stolenByProgramsPercent")
                        + (double) result.metrics().get("stolenOnCorePercent");
        assertThat(charged)
                .isPositive()
                .isCloseTo((double) result.metrics().get("stolenPercent"), withinPercentage(0.001));
    }

    @Test
    void shouldWatchForTheDurationWhereNoNumberIsGiven() {
        final RoleResult result =
                run(new TestContext(1, 1, new Clock()), Map.of("duration", "50ms"));

        assertThat(result.steps().getFirst().durationNs()).isBetween(50_000_000L, 52_000_000L);
    }

    @Test
    void shouldReportTheHistogramAndWhatThePassesWere() {
        final RoleResult result =
                run(
                        new TestContext(1, 1, new Clock()),
                        Map.of("loops", 2_000, "spinCount", 3, "histogram", "2,100"));

        assertThat(result.metrics())
                .containsEntry("histogram", "0-100ns=1998 above=2")
                .containsEntry("passes", 2_000L)
                .containsEntry("spinCount", 3)
                .containsEntry("minNs", 50L)
                .containsEntry("maxNs", 2_000_000L)
                .doesNotContainKey("core");
    }

    @Test
    void shouldEndWhenItIsStopped() {
        final TestContext context = new TestContext(1, 1, new Clock());
        context.stop();

        final RoleResult result = run(context, Map.of("loops", 1_000_000_000L));

        assertThat(result.metrics()).containsEntry("passes", 1L);
    }

    /** The plan may be written on another machine, with other cores. */
    @Test
    void shouldRefuseOnlyWhereItRunsACoreThatItCannotBePinnedTo() {
        final List<Integer> reachable = Affinity.reachableCores();
        final int beyond = reachable.getLast() + 1;

        reachable.forEach(JitterLoopTest::prepare);
        assertThatThrownBy(() -> prepare(beyond))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("--core %d: this process may use cores".formatted(beyond))
                .hasMessageContaining("name one of them");
        new JitterLoop.Factory().check(on(beyond));
    }

    private static void prepare(final int core) {
        try (JitterLoop loop = new JitterLoop(on(core), new TestContext(1, 1, new Clock()))) {
            loop.prepare();
        }
    }

    private static JitterSettings on(final int core) {
        return Settings.read(JitterSettings.class, Map.of("core", core), key -> key);
    }

    @Test
    void shouldRefuseAHistogramOfOneNumber() {
        assertThatThrownBy(() ->
                        Settings.read(JitterSettings.class, Map.of("histogram", "20"), key -> key))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--histogram");
    }
}
