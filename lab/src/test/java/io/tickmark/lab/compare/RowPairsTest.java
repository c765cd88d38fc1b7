package io.tickmark.lab.compare;

import static io.tickmark.lab.compare.CompareSamples.compare;
import static io.tickmark.lab.compare.CompareSamples.latency;
import static io.tickmark.lab.compare.CompareSamples.side;
import static io.tickmark.lab.compare.CompareSamples.trial;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.compare.CompareSamples.Repeat;
import io.tickmark.lab.verdict.Labels;
import io.tickmark.lab.verdict.NoiseRule;
import io.tickmark.lab.verdict.RunVerdict;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowPairsTest {
    @Test
    void shouldPairTheOneChannelOfATestWithTheOtherAndNameWhatIsAlone() {
        final Repeat repeat = new Repeat(latency(10_000), 5000, null);
        final Comparison comparison =
                compare(
                        side("A", "t", "shm:", List.of(repeat, repeat)),
                        side(
                                "B",
                                List.of(
                                        trial("t", "aeron:ipc", 1, repeat, Verdict.PASS),
                                        trial("u", "shm:", 1, repeat, Verdict.PASS),
                                        trial("v", "shm:", 1, repeat, Verdict.VOID))));

        assertThat(comparison.rows())
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.otherChannel()).isEqualTo("aeron:ipc");
                    assertThat(row.differences()).contains("channel shm: against aeron:ipc");
                });
        assertThat(comparison.notes())
                .anyMatch(note -> note.startsWith("u on shm:, 64 bytes at 5,000/s is in B alone"))
                .anyMatch(
                        note -> note.contains("v on shm:, 64 bytes at 5,000/s has no result in B"));
    }

    /** By elimination, unrelated rows had been paired. */
    @Test
    void shouldNotPairChannelsThatAreLeftOverOfSeveral() {
        final Repeat repeat = new Repeat(latency(10_000), 5000, null);
        final Comparison comparison =
                compare(
                        side(
                                "A",
                                List.of(
                                        trial("t", "shm:", 1, repeat, Verdict.PASS),
                                        trial("t", "udp://127.0.0.1:0", 1, repeat, Verdict.PASS))),
                        side(
                                "B",
                                List.of(
                                        trial("t", "shm:", 1, repeat, Verdict.PASS),
                                        trial("t", "aeron:ipc", 1, repeat, Verdict.PASS))));

        assertThat(comparison.rows())
                .extracting(Comparison.ComparedRow::otherChannel)
                .containsExactly("shm:");
        assertThat(comparison.notes())
                .anyMatch(note ->
                        note.startsWith(
                                "t on udp://127.0.0.1:0, 64 bytes at 5,000/s is in A alone"))
                .anyMatch(note ->
                        note.startsWith("t on aeron:ipc, 64 bytes at 5,000/s is in B alone"));
    }

    /** The same with tests. */
    @Test
    void shouldPairTestsOfOtherNamesOnlyWhereEachRunHasOne() {
        final Repeat repeat = new Repeat(latency(10_000), 5000, null);
        final TrialResult shared = trial("t", "shm:", 1, repeat, Verdict.PASS);
        final TrialResult u = trial("u", "shm:", 1, repeat, Verdict.PASS);
        final TrialResult v = trial("v", "shm:", 1, repeat, Verdict.PASS);

        assertThat(compare(side("A", List.of(shared, u)), side("B", List.of(shared, v))).rows())
                .extracting(Comparison.ComparedRow::test)
                .containsExactly("t");
        assertThat(compare(side("A", List.of(u)), side("B", List.of(v))).rows())
                .singleElement()
                .satisfies(row -> assertThat(row.differences()).contains("test u against v"));
    }

    /**
     * One combination of a matrix that could not be measured had prevented the comparison of all.
     */
    @Test
    void shouldCompareTheOthersWhereOneHasNothingInCommon() {
        final Side a = side("A", 10_000, 10_050);
        final Comparison comparison =
                compare(
                        a,
                        voids(side("B", 10_000, 10_050), RunVerdict.INTERRUPTED),
                        side("C", 10_000, 10_050));

        assertThat(comparison.rows()).extracting(Comparison.ComparedRow::side).containsExactly("C");
        assertThat(comparison.sides()).hasSize(3);
        assertThat(comparison.notes())
                .anyMatch(note ->
                        note.contains("latency on shm:, 64 bytes at 5,000/s has no result in B"));
    }

    @Test
    void shouldCountWhatOnlyTheFirstCouldMeasureAsWorse() {
        final Side a = side("A", 10_000, 10_050);
        final Side b = side("B", 10_000, 10_050);
        final Side lost = voids(b, "Role latency-sub-1 was lost.");

        assertThat(compare(a, lost).rows())
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.broken())
                            .containsExactly("Every repeat is void: Role latency-sub-1 was lost.");
                    assertThat(row.figures()).isEmpty();
                });
        assertThat(compare(a, lost).count(Outcome.WORSE)).isEqualTo(1);
        assertThatThrownBy(() -> compare(lost, a)).isInstanceOf(UserError.class);
        final Side ended = voids(b, RunVerdict.INTERRUPTED);
        assertThatThrownBy(() -> compare(a, ended))
                .as("a run that somebody ended")
                .isInstanceOf(UserError.class)
                .hasMessageContaining("every repeat is void");
    }

    /** On a machine that others use, the other build is not worse for that. */
    @Test
    void shouldNotBlameARunForWhatTheMachineTook() {
        final Side taken =
                side(
                        "B",
                        voids(side("B", 10_000, 10_050)).result().trials().stream()
                                // a criterion that it broke as well is not why it is void
                                .map(row ->
                                        row.voided(
                                                        "Other tasks or the hypervisor used the core.",
                                                        List.of(Labels.TAKEN))
                                                .voided("Lost 1 of 2.", List.of(Labels.TAKEN)))
                                .toList());

        final Comparison comparison =
                compare(side("A", 10_000, 10_050), taken, side("C", 10_000, 10_050));

        assertThat(comparison.rows()).extracting(Comparison.ComparedRow::side).containsExactly("C");
        assertThat(comparison.count(Outcome.WORSE)).isZero();
        assertThat(comparison.notes()).anyMatch(note -> note.contains("has no result in B"));
    }

    /** The same rule as where some repeats are void. */
    @Test
    void shouldNotBlameARunForWhatTheMachineOrTheUserSpoiledInEveryRepeat() {
        final Side a = side("A", 10_000, 10_050);
        final List<TrialResult> b = side("B", 10_000, 10_050).result().trials();
        final TrialResult noisy = b.getFirst().voided(NoiseRule.TOO_NOISY, List.of());
        final TrialResult ended = b.getLast().voided(RunVerdict.INTERRUPTED, List.of());
        final TrialResult lost = b.getFirst().voided("Role latency-sub-1 was lost.", List.of());

        assertThatThrownBy(() -> compare(a, side("B", List.of(noisy, ended))))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("every repeat is void");
        assertThat(compare(a, side("B", List.of(ended, lost))).rows().getFirst().broken())
                .as("the reason of a repeat that was not spoiled")
                .containsExactly("Every repeat is void: Role latency-sub-1 was lost.");
    }

    /** Nobody said that it was the machine. */
    @Test
    void shouldCountWhatIsVoidWithoutAReasonAsWorse() {
        final Comparison comparison =
                compare(side("A", 10_000, 10_050), voids(side("B", 10_000, 10_050)));

        assertThat(comparison.count(Outcome.WORSE)).isEqualTo(1);
    }

    /** The same run, all of it void for these reasons. */
    private static Side voids(final Side side, final String... reasons) {
        return side(
                side.name(),
                side.result().trials().stream()
                        .map(trial ->
                                CompareSamples.trial(
                                        trial.test(),
                                        trial.channel(),
                                        trial.repeat(),
                                        new Repeat(latency(10_000), 5000, null),
                                        Verdict.VOID,
                                        List.of(),
                                        List.of(reasons)))
                        .toList());
    }

    /** Whoever waits for files gets them without rows. */
    @Test
    void shouldSayWhyThereIsNothingToCompare() {
        final Comparer comparer = new Comparer(CompareSettings.DEFAULT, "0.1.0");

        final Comparison comparison =
                comparer.compareAnyway(
                        voids(side("A", 10_000, 10_050), "Role latency-sub-1 was lost."),
                        List.of(voids(side("B", 10_000, 10_050), "Nobody answered.")));

        assertThat(comparison.rows()).isEmpty();
        assertThat(comparison.notes())
                .anyMatch(note -> note.endsWith("has no result in A: every repeat is void."))
                .anyMatch(note -> note.endsWith("has no result in B: every repeat is void."))
                .anyMatch(note -> note.startsWith("A is void") && note.contains("was lost."))
                .anyMatch(note -> note.startsWith("B is void") && note.contains("Nobody answered."))
                .noneMatch(note -> note.contains("one repeat"));
        assertThat(comparer.whyNothing())
                .hasMessageContaining("no row that can be compared")
                .hasMessageContaining("every repeat is void");
    }

    /** What a gate ends with is known by this, and not by the reasons of all repeats together. */
    @Test
    void shouldSayWhyARunCannotBeJudgedThatIsNotToBlame() {
        final Side a = side("A", 10_000, 10_050);
        final Side b = side("B", 10_000, 10_050);

        assertThat(Comparer.whyUndecided(a, voids(b, NoiseRule.TOO_NOISY)))
                .hasValueSatisfying(why -> assertThat(why).contains("every repeat is void"));
        assertThat(Comparer.whyUndecided(voids(a, "Role latency-sub-1 was lost."), b)).isPresent();
        assertThat(Comparer.whyUndecided(a, side("B", List.of()))).isPresent();
        assertThat(Comparer.whyUndecided(a, voids(b, "Role latency-sub-1 was lost."))).isEmpty();
        assertThat(Comparer.whyUndecided(a, b)).isEmpty();
        final Repeat repeat = new Repeat(latency(10_000), 5000, null);
        assertThat(
                        Comparer.whyUndecided(
                                a,
                                side(
                                        "B",
                                        List.of(
                                                trial("u", "shm:", 1, repeat, Verdict.PASS),
                                                trial("v", "shm:", 1, repeat, Verdict.PASS)))))
                .as("another plan")
                .isEmpty();
    }

    @Test
    void shouldRefuseRunsWithNothingInCommon() {
        final Repeat repeat = new Repeat(latency(10_000), 5000, null);

        assertThatThrownBy(() ->
                        compare(
                                side("A", "t", "shm:", List.of(repeat)),
                                side(
                                        "B",
                                        List.of(
                                                trial("u", "shm:", 1, repeat, Verdict.PASS),
                                                trial("v", "shm:", 1, repeat, Verdict.PASS)))))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no row that can be compared");
        assertThatThrownBy(() -> Side.read("A", Path.of("no-such-folder")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no-such-folder does not exist");
    }
}
