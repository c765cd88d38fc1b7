package io.tickmark.lab.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.result.TailSummary;
import io.tickmark.kernel.result.TailSummary.Undisturbed;
import io.tickmark.kernel.result.TailSummary.WatchedThread;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.Criteria;
import io.tickmark.lab.result.ResultSamples;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TakenRuleTest {
    private static final double MOST = TakenRule.most(Criteria.DEFAULT, "");

    private static TrialResult taken(final double... parts) {
        return takenOrUnattributed(0, parts);
    }

    /** The same, and of each thread a part of which nobody knows whose it was. */
    private static TrialResult takenOrUnattributed(
            final double unattributed, final double... parts) {
        return ResultSamples.trial(null, List.of(), null)
                .withTail(
                        new TailSummary(
                                1_000,
                                1_000,
                                1,
                                List.of(),
                                Arrays.stream(parts)
                                        .mapToObj(part ->
                                                new WatchedThread(
                                                        "latency-sub",
                                                        1,
                                                        "echo",
                                                        1,
                                                        1,
                                                        1,
                                                        0,
                                                        part,
                                                        "another task ran on the core",
                                                        unattributed,
                                                        unattributed == 0
                                                                ? ""
                                                                : "context switches have no timestamps"))
                                        .toList(),
                                List.of(),
                                List.of(),
                                List.of(),
                                new Undisturbed(0, "no", null),
                                List.of(),
                                "",
                                ""),
                        List.of());
    }

    @Test
    void shouldVoidARowWhoseCoreTheMachineTook() {
        final TrialResult row = TakenRule.applied(taken(0.1, 0.43, 0.3), MOST);

        assertThat(row.verdict()).isEqualTo(Verdict.VOID);
        assertThat(row.reasons().getFirst())
                .startsWith(
                        "Other tasks or the hypervisor used the core of latency-sub 1, echo, for 43.0 % of")
                .contains("another task ran on the core", "at most 20.0 %", "End what runs beside");
        assertThat(row.reasons()).hasSize(1 + taken().reasons().size());
        assertThat(row.labels()).contains(Labels.TAKEN);
    }

    /** Results of earlier builds have another sentence. */
    @Test
    void shouldKnowItsReasonInResultsOfEarlierBuilds() {
        final String former = "The machine had taken the core of latency-sub 1, echo, for 43.0 %.";

        assertThat(TakenRule.isReason(former)).isTrue();
        assertThat(TakenRule.isReason(TakenRule.applied(taken(0.43), MOST).reasons().getFirst()))
                .isTrue();
        assertThat(TakenRule.isReason("A role was lost.")).isFalse();
    }

    /** Only then is what was measured not to blame. */
    @Test
    void shouldBeBehindRowsThatAreVoidForNothingElse() {
        final TrialResult taken = TakenRule.applied(taken(0.43), MOST);
        final TrialResult lost = taken(0.43).voided("A role was lost.", List.of());

        assertThat(TakenRule.isBehind(List.of(taken, taken(0.1)))).isTrue();
        assertThat(TakenRule.isBehind(List.of(taken(0.1)))).as("nothing is void").isFalse();
        assertThat(TakenRule.isBehind(List.of(taken, TakenRule.applied(lost, MOST)))).isFalse();
    }

    /** Builds before wrote the same sentence, and no label. */
    @Test
    void shouldBeBehindRowsOfOlderResults() {
        final TrialResult old =
                taken(0.43)
                        .voided(
                                TakenRule.applied(taken(0.43), MOST).reasons().getFirst(),
                                List.of());
        final TrialResult lost = old.voided("A role was lost.", List.of());

        assertThat(old.reasons()).hasSize(1);
        assertThat(TakenRule.isBehind(List.of(old))).isTrue();
        assertThat(TakenRule.isBehind(List.of(old, lost))).isFalse();
    }

    @Test
    void shouldKeepOtherRowsAsTheyAre() {
        assertThat(TakenRule.applied(taken(0.2, 0), MOST)).isEqualTo(taken(0.2, 0));
        assertThat(TakenRule.applied(taken(0.43), TakenRule.most(Criteria.DEFAULT, "0.5")))
                .isEqualTo(taken(0.43));
    }

    /** Perhaps the machine had the core: the row stays judged, and is labelled. */
    @Test
    void shouldSayThatItCannotBeToldWhoHadACore() {
        final TrialResult row = TakenRule.applied(takenOrUnattributed(0.4, 0.1), MOST);

        assertThat(row.verdict()).isEqualTo(taken().verdict());
        assertThat(row.reasons())
                .as("it breaks no criterion")
                .isEqualTo(takenOrUnattributed(0.4, 0.1).reasons());
        assertThat(row.labels()).contains(Labels.PERHAPS_TAKEN);
        assertThat(TakenRule.applied(row, row.tail(), MOST).labels())
                .as("judged once more when files of other hosts have arrived")
                .isEqualTo(row.labels());
        assertThat(TakenRule.applied(row, takenOrUnattributed(0.05, 0.1).tail(), MOST).labels())
                .doesNotContain(Labels.PERHAPS_TAKEN);
        assertThat(TakenRule.applied(takenOrUnattributed(0.05, 0.1), MOST))
                .isEqualTo(takenOrUnattributed(0.05, 0.1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"20%", "-1", "1.1", "NaN"})
    void shouldSayWhatAPartOfTheMachineIs(final String wrong) {
        assertThatThrownBy(() -> TakenRule.most(Criteria.DEFAULT, wrong))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(
                        "TICKMARK_MAX_TAKEN_PART is \"" + wrong + "\"; write a number");
    }
}
