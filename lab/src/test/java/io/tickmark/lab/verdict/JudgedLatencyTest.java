package io.tickmark.lab.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.lab.plan.Criteria;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** By which latency a criterion is judged, and what follows where there is none. */
class JudgedLatencyTest {
    private static final Map<String, Object> BOUNDS = Map.of("maxP99", "1ms", "maxLatency", "1s");

    private final TrialMerge merge = new TrialMerge();

    private static TrialFacts facts(final Map<String, Object> criteria) {
        return new TrialFacts(
                "t",
                "stream",
                "udp:",
                1,
                2,
                2,
                null,
                null,
                Settings.read(Criteria.class, criteria, key -> key),
                false,
                List.of(),
                List.of(),
                List.of());
    }

    private static StepResult sent(final int step, final String label) {
        return new StepResult(
                step, label, 64, Map.of(Counts.SENT, 100L), 1, 0, 100, Map.of(), List.of());
    }

    private static StepResult timed(final int step, final String latency, final long ns) {
        final Histogram histogram = new Histogram(1, 3_600_000_000_000L, 3);
        histogram.recordValueWithCount(ns, 10_000);
        return new StepResult(
                step, "", 0, Map.of(), 1, 0, 0, Map.of(latency, histogram), List.of());
    }

    @Test
    void shouldNotPassABoundOnALatencyThatNobodyMeasured() {
        merge.add("pub-1", sent(0, ""));

        final TrialResult row = merge.rows(facts(BOUNDS)).getFirst();

        assertThat(row.verdict()).isEqualTo(Verdict.VOID);
        assertThat(row.reasons())
                .containsExactly(
                        "No latency was measured by which maxP99 and maxLatency could be judged.");
        assertThat(merge.rows(facts(Map.of())).getFirst().verdict()).isEqualTo(Verdict.PASS);
    }

    @Test
    void shouldNotJudgeByTheTimeInsideTheSendCall() {
        merge.add("pub-1", sent(0, ""));
        merge.add("pub-1", timed(0, Latencies.SEND_NS, 1_000));

        assertThat(merge.rows(facts(BOUNDS)).getFirst().verdict()).isEqualTo(Verdict.VOID);
    }

    @Test
    void shouldNotJudgeByWhatOnlyACaptureTimed() {
        merge.add("capture-1", new Kind(true, Set.of()), timed(0, "wireNs", 1_000));
        merge.add("pub-1", new Kind(false, Set.of()), sent(0, ""));

        final TrialResult row = merge.rows(facts(BOUNDS)).getFirst();

        assertThat(row.latencies()).containsOnlyKeys("wireNs");
        assertThat(row.reasons()).singleElement().asString().startsWith("No latency was measured");
    }

    @Test
    void shouldJudgeByWhatARoleTimedThoughACaptureReportedFirst() {
        merge.add("capture-1", new Kind(true, Set.of()), timed(0, "wireNs", 1_000));
        merge.add("pub-1", new Kind(false, Set.of()), sent(0, ""));
        merge.add("sub-1", new Kind(false, Set.of()), timed(0, "imageNs", 5_000_000));

        final TrialResult row = merge.rows(facts(BOUNDS)).getFirst();

        assertThat(row.latencies().keySet()).containsExactly("imageNs", "wireNs");
        assertThat(row.reasons())
                .singleElement()
                .asString()
                .startsWith("The 99th percentile of the latency is 5");
    }

    @Test
    void shouldExcuseTheStepThatNeedNotBeTimedOnlyWhereAnotherIs() {
        merge.add("consumer-1", new Kind(false, Set.of("startup")), sent(0, "startup"));

        assertThat(merge.rows(facts(BOUNDS)).getFirst().verdict()).isEqualTo(Verdict.VOID);

        merge.add("consumer-1", new Kind(false, Set.of("startup")), sent(1, "steady"));
        merge.add(
                "consumer-1",
                new Kind(false, Set.of("startup")),
                timed(1, Latencies.RESPONSE_NS, 1_000));

        assertThat(merge.rows(facts(BOUNDS)))
                .extracting(TrialResult::verdict)
                .containsExactly(Verdict.PASS, Verdict.PASS);
    }

    @Test
    void shouldNotExcuseAStepThatNoRoleDeclares() {
        merge.add("consumer-1", sent(0, "startup"));
        merge.add("consumer-1", sent(1, "steady"));
        merge.add("consumer-1", timed(1, Latencies.RESPONSE_NS, 1_000));

        assertThat(merge.rows(facts(BOUNDS)))
                .extracting(TrialResult::verdict)
                .containsExactly(Verdict.VOID, Verdict.PASS);
    }

    /** No settings. */
    private record Nothing() {}

    /** A kind of role that is never created. */
    private static final class Kind extends RoleFactory.Declared<Nothing> {
        private final boolean isObserver;
        private final Set<String> untimed;

        Kind(final boolean isObserver, final Set<String> untimed) {
            super("kind", "Is never created.", Nothing.class);
            this.isObserver = isObserver;
            this.untimed = untimed;
        }

        @Override
        public boolean isObserver() {
            return isObserver;
        }

        @Override
        public Set<String> untimedSteps() {
            return untimed;
        }

        @Override
        public List<HotThread> hotThreads(
                final Nothing settings, final int index, final int count) {
            return List.of();
        }

        @Override
        public long expectedDurationNs(final Nothing settings) {
            return 0;
        }

        @Override
        public Role create(final Nothing settings, final RoleContext context) {
            throw new UnsupportedOperationException();
        }
    }
}
