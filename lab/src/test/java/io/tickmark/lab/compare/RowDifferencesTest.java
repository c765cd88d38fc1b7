package io.tickmark.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.lab.compare.Comparer.RowDifferences;
import io.tickmark.lab.plan.Criteria;
import io.tickmark.lab.verdict.TrialFacts;
import io.tickmark.lab.verdict.TrialMerge;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RowDifferencesTest {
    private static final TrialFacts FACTS =
            new TrialFacts(
                    "t",
                    "stream",
                    "shm:",
                    1,
                    2,
                    2,
                    null,
                    null,
                    Criteria.DEFAULT,
                    false,
                    List.of(),
                    List.of(),
                    List.of());

    private static SideRow row(final long lostOnPurpose, final long received) {
        final TrialMerge trial = new TrialMerge();
        trial.add("pub", counted(Map.of(Counts.SENT, 100L, Counts.LOST_ON_PURPOSE, lostOnPurpose)));
        trial.add("sub", counted(Map.of(Counts.RECEIVED, received)));
        return new SideRow(
                new SideRow.Key("t", "shm:", 0, ""), "64 bytes", trial.rows(FACTS), List.of());
    }

    private static StepResult counted(final Map<String, Long> counts) {
        return new StepResult(0, "", 64, counts, 1, 0, 0, Map.of(), List.of());
    }

    /** Two runs of a plan that omits one percent never omit exactly the same number. */
    @Test
    void shouldReportALossOnTheWayAndNoneOnPurpose() {
        assertThat(RowDifferences.of(new RowPairs.Pair(row(1, 99), row(2, 98)))).isEmpty();
        assertThat(RowDifferences.of(new RowPairs.Pair(row(1, 99), row(2, 95))))
                .containsExactly("lost 0.00 % against 3.00 %");
    }
}
