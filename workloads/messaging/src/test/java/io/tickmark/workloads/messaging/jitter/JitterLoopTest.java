package io.tickmark.workloads.messaging.jitter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.messaging.TestContext;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.NanoClock;
import org.junit.jupiter.api.Test;

class JitterLoopTest {
    /** A reading takes 50 ns, and each thousandth 2 ms. */
    private static final class Clock implements NanoClock {
        private long readings;
        private long nowNs;

        @Override
        public long nanoTime() {
            readings++;
            nowNs += readings % 1000 == 0 ? 2_000_000 : 50;
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
    void shouldTellWhatAMessageDueAtARandomMomentWouldWait() {
        final RoleResult result = run(new TestContext(1, 1, new Clock()), Map.of("loops", 10_000));

        final double watchedNs = result.steps().getFirst().durationNs();
        assertThat((double) result.metrics().get("stallWaitMeanNs"))
                .isCloseTo(10 * 2e6 * 2e6 / (2 * watchedNs), withinPercentage(0.2));
        assertThat((double) (long) result.metrics().get("stallWaitP90Ns"))
                .isCloseTo(2e6 - 0.1 * watchedNs / 10, withinPercentage(0.1));
        assertThat((double) (long) result.metrics().get("stallWaitP9999Ns"))
                .isCloseTo(2e6 - 0.0001 * watchedNs / 10, withinPercentage(0.1));
    }

    @Test
    void shouldWatchForTheDurationWhereNoNumberIsGiven() {
        final RoleResult result =
                run(new TestContext(1, 1, new Clock()), Map.of("duration", "50ms"));

        assertThat(result.steps().getFirst().durationNs()).isBetween(50_000_000L, 52_000_000L);
    }

    @Test
    void shouldShowTheHistogramAndTheLineOfTheStreamingSuite() {
        final RoleResult result =
                run(
                        new TestContext(1, 1, new Clock()),
                        Map.of("loops", 2_000, "spinCount", 3, "histogram", "2,100"));

        assertThat(result.metrics())
                .containsEntry("histogram", "0-100ns=1998 above=2")
                .containsEntry(
                        "figures",
                        "o_affinity_cpu=-1, o_jitter_loops=2000, o_spin_cnt=3, ts_min_ns=50, ts_max_ns=2000000,");
    }

    @Test
    void shouldEndWhenItIsStopped() {
        final TestContext context = new TestContext(1, 1, new Clock());
        context.stop();

        final RoleResult result = run(context, Map.of("loops", 1_000_000_000L));

        assertThat(result.metrics()).containsEntry("passes", 1L);
    }

    @Test
    void shouldRefuseOnlyACoreThatItCannotBePinnedTo() {
        final JitterFactory factory = new JitterFactory();
        final List<Integer> reachable = Affinity.reachableCores();

        reachable.forEach(core -> factory.check(on(core)));
        assertThatThrownBy(() -> factory.check(on(reachable.getLast() + 1)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("name one of them");
    }

    private static JitterSettings on(final int core) {
        return Settings.read(JitterSettings.class, Map.of("core", core), key -> key);
    }

    @Test
    void shouldRefuseAHistogramOfOneNumber() {
        assertThatThrownBy(() ->
                        Settings.read(JitterSettings.class, Map.of("histogram", "20"), key -> key))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--histogram (-H)");
    }
}
