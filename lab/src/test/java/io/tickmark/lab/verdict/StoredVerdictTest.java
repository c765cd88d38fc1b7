package io.tickmark.lab.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.lab.plan.Criteria;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoredVerdictTest {
    private static final String MISSING =
            "The store has 7 messages fewer than the 100 that it acknowledged.";

    private static TrialFacts facts(final String deletion) {
        return new TrialFacts(
                "t",
                "stream",
                "archive:",
                1,
                3,
                4,
                null,
                null,
                Settings.read(Criteria.class, Map.of(), key -> key),
                false,
                List.of(),
                List.of(),
                List.of(
                        new TrialResult.RoleSummary(
                                "store", 1, Map.of("deletion", deletion), List.of())));
    }

    private static StepResult counted(final Map<String, Long> counts) {
        return new StepResult(0, "", 64, counts, 1, 0, 0, Map.of(), List.of());
    }

    /** The third role itself reports what is missing. */
    @ParameterizedTest
    @CsvSource({
        "kept, 100, 0, PASS",
        "kept, 93, 0, FAIL",
        "kept, 93, 7, PASS",
        "acknowledged, 93, 0, PASS"
    })
    void shouldMissWhatAStoreThatKeepsAllHasNot(
            final String deletion, final long stored, final long notFound, final Verdict expected) {
        final TrialMerge merge = new TrialMerge();
        merge.add("pub-1", counted(Map.of(Counts.SENT, 100L, Counts.ACKNOWLEDGED, 100L)));
        merge.add("sub-1", counted(Map.of(Counts.RECEIVED, 100L)));
        merge.add("store-1", counted(Map.of(Counts.STORED, stored, Counts.NOT_FOUND, notFound)));

        final TrialResult row = merge.rows(facts(deletion)).getFirst();

        assertThat(row.verdict()).isEqualTo(expected);
        assertThat(row.reasons())
                .isEqualTo(expected == Verdict.PASS ? List.of() : List.of(MISSING));
    }

    /** A terminal shows the first few reasons alone. */
    @ParameterizedTest
    @CsvSource({"acknowledgedNotFound", "acknowledgedNotVerified"})
    void shouldBeginWithWhatTheStoreLacksOfWhatItAcknowledged(final String count) {
        final TrialMerge merge = new TrialMerge();
        merge.add(
                "pub-1",
                because("The store is lost.", Map.of(Counts.SENT, 100L, Counts.ACKNOWLEDGED, 90L)));
        merge.add("sub-1", counted(Map.of(Counts.RECEIVED, 50L)));
        merge.add(
                "store-1", because("It lacks 7 messages.", Map.of(Counts.STORED, 83L, count, 7L)));

        assertThat(merge.rows(facts("kept")).getFirst().reasons())
                .startsWith("It lacks 7 messages.", "The store is lost.")
                .hasSizeGreaterThan(2);
    }

    private static StepResult because(final String reason, final Map<String, Long> counts) {
        return new StepResult(0, "", 64, counts, 1, 0, 0, Map.of(), List.of(reason));
    }
}
