package io.tickmark.lab.compare;

import static io.tickmark.lab.compare.CompareSamples.compare;
import static io.tickmark.lab.compare.CompareSamples.latency;
import static io.tickmark.lab.compare.CompareSamples.noise;
import static io.tickmark.lab.compare.CompareSamples.side;
import static io.tickmark.lab.compare.CompareSamples.trial;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tickmark.kernel.record.RoleFiles;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.result.TailSummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.stall.MessageLog;
import io.tickmark.kernel.stall.StallRecording;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.lab.compare.CompareSamples.Repeat;
import io.tickmark.lab.compare.Comparison.ComparedFigure;
import io.tickmark.lab.compare.Comparison.Doubt;
import io.tickmark.lab.compare.Comparison.NotCompared;
import io.tickmark.lab.plan.Criteria;
import io.tickmark.lab.tail.TailReader;
import io.tickmark.lab.verdict.Labels;
import io.tickmark.lab.verdict.RunVerdict;
import io.tickmark.lab.verdict.TrialFacts;
import io.tickmark.lab.verdict.TrialMerge;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComparerTest {
    private static ComparedFigure figure(final Comparison comparison, final String name) {
        return comparison.rows().getFirst().figures().stream()
                .filter(figure -> figure.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldReportALongerLatencyAsWorseAndAShorterOneAsBetter() {
        final Side a = side("A", 10_000, 10_050, 9_950, 10_020, 9_980);
        final Side b = side("B", 11_000, 11_050, 10_950, 11_020, 10_980);

        assertThat(figure(compare(a, b), "responseNs.p50"))
                .satisfies(figure -> {
                    assertThat(figure.outcome()).isEqualTo(Outcome.WORSE);
                    assertThat(figure.effect()).isBetween(0.09, 0.11);
                    assertThat(figure.low()).isGreaterThan(0);
                });
        assertThat(figure(compare(b, a), "responseNs.p50").outcome()).isEqualTo(Outcome.BETTER);
    }

    /** A run whose latencies as measured and undisturbed differ: only the machine was slower. */
    private static Side disturbed(
            final String name,
            final double undisturbedP50,
            final double leftOut,
            final double... p50s) {
        return side(
                name,
                IntStream.range(0, p50s.length)
                        .mapToObj(i ->
                                trial(
                                                "t",
                                                "shm:",
                                                i + 1,
                                                new Repeat(
                                                        latency(p50s[i]), 5_000, noise(0, 1_000)),
                                                Verdict.PASS)
                                        .withTail(
                                                tail(latency(undisturbedP50 + i), leftOut, ""),
                                                leftOut > 0.01
                                                        ? List.of(Labels.DISTURBED)
                                                        : List.of()))
                        .toList());
    }

    private static TailSummary tail(
            final LatencySummary latency, final double leftOut, final String refused) {
        return new TailSummary(
                100_000,
                100_000,
                10_000,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                new TailSummary.Undisturbed(leftOut, refused, latency),
                List.of(),
                "",
                "");
    }

    private static Comparison undisturbed(final Side a, final Side b) {
        return new Comparer(new CompareSettings(0.03, 0.05, true), "0.1.0").compare(a, List.of(b));
    }

    @Test
    void shouldJudgeByUndisturbedLatenciesWhereItIsAskedTo() {
        final Side a = disturbed("A", 10_000, 0.01, 10_000, 10_050, 9_950, 10_020, 9_980);
        final Side b = disturbed("B", 10_002, 0.02, 14_000, 14_050, 13_950, 14_020, 13_980);

        final Comparison asMeasured = compare(a, b);
        assertThat(figure(asMeasured, "responseNs.p50").outcome()).isEqualTo(Outcome.WORSE);
        assertThat(asMeasured.notes())
                .anyMatch(note ->
                        note.startsWith(
                                "The machine disturbed 5 of 5 repeats of B; --undisturbed judges"));
        final Comparison comparison = undisturbed(a, b);
        assertThat(figure(comparison, "undisturbedNs.p50").outcome())
                .isEqualTo(Outcome.NO_DIFFERENCE);
        assertThat(comparison.rows().getFirst().figures())
                .extracting(ComparedFigure::name)
                .contains(Samples.RATE)
                .noneMatch(name -> name.startsWith("responseNs"));
        assertThat(comparison.notes()).anyMatch(note -> note.contains("undisturbed figures"));

        // a slower build is reported nevertheless
        final Side slower = disturbed("B", 11_000, 0.01, 11_000, 11_050, 10_950, 11_020, 10_980);
        assertThat(figure(undisturbed(a, slower), "undisturbedNs.p50").outcome())
                .isEqualTo(Outcome.WORSE);
    }

    @Test
    void shouldRefuseUndisturbedLatenciesOfDifferentParts() {
        final Side a = disturbed("A", 10_000, 0.01, 10_000, 10_050, 9_950, 10_020, 9_980);
        final Side b = disturbed("B", 10_000, 0.09, 10_000, 10_050, 9_950, 10_020, 9_980);

        final Comparison comparison = undisturbed(a, b);
        assertThat(comparison.rows().getFirst().figures())
                .extracting(ComparedFigure::name)
                .containsExactly(Samples.RATE);
        assertThat(comparison.notes())
                .anyMatch(note ->
                        note.contains("not judged")
                                && note.contains("A leaves out 1.0 % of its messages, B 9.0 %"));
        assertThat(undisturbed(a, side("B", 10_000, 10_010)).notes())
                .anyMatch(note -> note.contains("B has no undisturbed figures: no role recorded"));
    }

    /** Two of its five repeats. */
    private static Side perhapsTaken(final String name) {
        return side(
                name,
                IntStream.range(0, 5)
                        .mapToObj(i ->
                                trial(
                                                "t",
                                                "shm:",
                                                i + 1,
                                                new Repeat(
                                                        latency(14_000 + i),
                                                        5_000,
                                                        noise(0, 1_000)),
                                                Verdict.PASS)
                                        .withTail(
                                                tail(latency(14_000 + i), 0, ""),
                                                i < 2 ? List.of(Labels.PERHAPS_TAKEN) : List.of()))
                        .toList());
    }

    /** By any figures: a rate is that of the machine's other work, too. */
    @Test
    void shouldNoteInHowManyRepeatsAnotherTaskPerhapsHadACore() {
        final Side a = side("A", 10_000, 10_050, 9_950, 10_020, 9_980);
        final Side b = perhapsTaken("B");
        final String note =
                "Another task perhaps had a core of the test in 2 of 5 repeats of B: what differs may be due to the machine.";

        assertThat(compare(a, b).notes()).contains(note);
        assertThat(undisturbed(b, b).notes())
                .contains(note.replace("of B:", "of B and 2 of 5 repeats of B:"));
        assertThat(compare(a, a).notes()).noneMatch(each -> each.contains("perhaps"));
    }

    /** A gate judges by a third run, of which it said nothing. */
    @Test
    void shouldNoteForAGateWhatTheMachineMayHaveTakenFromTheFirstRunMeasuredAgain() {
        final Side a = side("A", 10_000, 10_050, 9_950, 10_020, 9_980);
        final Side b = side("B", 10_010, 10_060, 9_960, 10_030, 9_990);

        final Comparison judged =
                compare(a, b).judged(compare(a, perhapsTaken("A again")), 0.9, 1_000, true);
        assertThat(judged.notes())
                .contains(
                        "Another task perhaps had a core of the test in 2 of 5 repeats of A again: what differs may be"
                                + " due to the machine.")
                .doesNotHaveDuplicates();
        assertThat(judged.gate()).isNotNull();
    }

    private static List<NotCompared> notCompared(final Comparison comparison) {
        return comparison.rows().getFirst().notCompared();
    }

    @Test
    void shouldSayWhatARunMeasuredThatCannotBeCompared() {
        final Repeat repeat = new Repeat(latency(10_000), 5_000, null);
        final Repeat untimed = new Repeat(null, 5_000, null);
        final Repeat stuck = new Repeat(latency(10_000), 0, null);
        final Side a = side("A", "t", "shm:", List.of(repeat, repeat));
        final Side b = side("B", "t", "shm:", List.of(untimed, untimed));

        assertThat(notCompared(compare(a, a))).isEmpty();
        assertThat(notCompared(compare(b, b))).as("nothing was timed").isEmpty();
        assertThat(notCompared(compare(a, b)))
                .containsExactly(new NotCompared("responseNs", "B has none"));
        assertThat(compare(a, b).notes())
                .contains(
                        "responseNs of t on shm:, 64 bytes at 5,000/s is not compared; B has none.");
        assertThat(notCompared(compare(a, side("B", "t", "shm:", List.of(repeat, untimed)))))
                .containsExactly(new NotCompared("responseNs", "B has it in 1 of 2 repeats"));
        assertThat(notCompared(compare(a, side("B", "t", "shm:", List.of(stuck, stuck)))))
                .containsExactly(new NotCompared(Samples.RATE, "B has none"));
        assertThat(notCompared(undisturbed(a, a)))
                .containsExactly(
                        new NotCompared(
                                Samples.UNDISTURBED,
                                "A has no undisturbed figures: no role recorded what delayed its messages"));
    }

    @Test
    void shouldNotPassAGateWhereTheOtherLacksARowOfTheFirst() {
        final Repeat repeat = new Repeat(latency(10_000), 5_000, null);
        final List<TrialResult> one =
                List.of(
                        trial("t", "shm:", 1, repeat, Verdict.PASS),
                        trial("t", "shm:", 2, repeat, Verdict.PASS));
        final List<TrialResult> two = new ArrayList<>(one);
        two.add(trial("u", "shm:", 1, repeat, Verdict.PASS));
        two.add(trial("u", "shm:", 2, repeat, Verdict.PASS));
        final Side all = side("A", two);
        final Comparison lacking = compare(all, side("B", one));

        assertThat(lacking.missing())
                .containsExactly(
                        "u on shm:, 64 bytes at 5,000/s is in A alone; B has no such row.");
        assertThat(Gate.of(lacking, compare(all, all), 0.9, 1_000, true).verdict())
                .isEqualTo(Gate.GateVerdict.UNDECIDED);
        final Comparison more = compare(side("A", one), all);
        assertThat(Gate.of(more, more, 0.9, 1_000, true).verdict())
                .as("a row that only the other has")
                .isEqualTo(Gate.GateVerdict.PASSED);
    }

    /** Its rate was the same, and a change of 90 % would have been seen in nothing else. */
    @Test
    void shouldNotPassAGateForWhichNoLatencyWasJudged() {
        final Side a = disturbed("A", 10_000, 0.01, 10_000, 10_050, 9_950, 10_020, 9_980);
        final Side b = disturbed("B", 10_000, 0.09, 10_000, 10_050, 9_950, 10_020, 9_980);

        final Gate gate = Gate.of(undisturbed(a, b), undisturbed(a, a), 0.9, 1_000, true);

        assertThat(gate.verdict()).isEqualTo(Gate.GateVerdict.UNDECIDED);
        assertThat(Gate.of(undisturbed(a, a), undisturbed(a, a), 0.9, 1_000, true).verdict())
                .isEqualTo(Gate.GateVerdict.PASSED);
    }

    @Test
    void shouldReportAHigherRateAsBetter() {
        final List<Repeat> slow =
                List.of(
                        new Repeat(latency(100_000), 1000, null),
                        new Repeat(latency(100_000), 1001, null));
        final List<Repeat> fast =
                List.of(
                        new Repeat(latency(100_000), 2000, null),
                        new Repeat(latency(100_000), 2002, null));

        assertThat(
                        figure(
                                        compare(
                                                side("A", "t", "shm:", slow),
                                                side("B", "t", "shm:", fast)),
                                        Samples.RATE)
                                .outcome())
                .isEqualTo(Outcome.BETTER);
    }

    @Test
    void shouldReportNoDifferenceOnlyWhereItIsShown() {
        final Side a = side("A", 10_000, 10_010, 9_990, 10_005, 9_995);

        assertThat(
                        figure(
                                        compare(
                                                a,
                                                side("B", 10_010, 10_020, 10_000, 10_015, 10_005)),
                                        "responseNs.p50")
                                .outcome())
                .isEqualTo(Outcome.NO_DIFFERENCE);
        assertThat(
                        figure(
                                compare(a, side("B", 10_000, 15_000, 7_000, 9_000, 12_000)),
                                "responseNs.p50"))
                .satisfies(figure -> {
                    assertThat(figure.outcome()).isEqualTo(Outcome.TOO_NOISY);
                    assertThat(figure.reason()).contains("both");
                });
    }

    @Test
    void shouldCallATinyButCertainDifferenceNotWorthReporting() {
        final Side a = side("A", 10_000, 10_001, 9_999, 10_000, 10_000, 10_000);
        final Side b = side("B", 10_100, 10_101, 10_099, 10_100, 10_100, 10_100);

        assertThat(figure(compare(a, b), "responseNs.p50"))
                .satisfies(figure -> {
                    assertThat(figure.low()).isGreaterThan(0);
                    assertThat(figure.outcome()).isEqualTo(Outcome.NO_DIFFERENCE);
                });
    }

    @Test
    void shouldSayThatOneRepeatIsNotEnough() {
        final Comparison comparison = compare(side("A", 10_000), side("B", 20_000));

        assertThat(comparison.count(Outcome.TOO_NOISY))
                .isEqualTo(comparison.rows().getFirst().figures().size());
        assertThat(comparison.notes()).anyMatch(note -> note.startsWith("A has one repeat"));
    }

    @Test
    void shouldLeaveOutPercentilesThatFewMessagesHave() {
        final List<Repeat> few =
                List.of(
                        new Repeat(latency(10_000, 500), 5000, null),
                        new Repeat(latency(10_000, 500), 5000, null));

        assertThat(
                        compare(side("A", "t", "shm:", few), side("B", "t", "shm:", few))
                                .rows()
                                .getFirst()
                                .figures())
                .extracting(ComparedFigure::name)
                .contains("responseNs.p90")
                .doesNotContain("responseNs.p99", "responseNs.p999");
    }

    @Test
    void shouldDoubtATailThatTheNoiseOfTheSlowerRunCanExplain() {
        final List<Repeat> quiet =
                List.of(10_000, 10_020, 9_980, 10_010).stream()
                        .map(p50 -> new Repeat(latency(p50), 5000, noise(0.0001, 5_000)))
                        .toList();
        final List<Repeat> noisy =
                List.of(12_000, 12_020, 11_980, 12_010).stream()
                        .map(p50 -> new Repeat(latency(p50), 5000, noise(0.002, 500_000)))
                        .toList();

        final Comparison comparison =
                compare(side("A", "t", "shm:", quiet), side("B", "t", "shm:", noisy));

        assertThat(figure(comparison, "responseNs.p999").outcome()).isEqualTo(Outcome.TOO_NOISY);
        assertThat(figure(comparison, "responseNs.p999").reason()).contains("0.20 % of its time");
        assertThat(figure(comparison, "responseNs.p99").outcome()).isEqualTo(Outcome.WORSE);
    }

    @Test
    void shouldCountCriteriaThatOnlyTheOtherRunBreaksAsWorse() {
        final Repeat repeat = new Repeat(latency(10_000), 5000, null);
        final Side a = side("A", "t", "shm:", List.of(repeat, repeat));
        final Side b =
                side(
                        "B",
                        List.of(
                                trial("t", "shm:", 1, repeat, Verdict.PASS),
                                trial("t", "shm:", 2, repeat, Verdict.FAIL)));

        assertThat(compare(a, b).rows().getFirst().broken()).containsExactly("Lost 1 of 2.");
        assertThat(compare(a, b).count(Outcome.WORSE)).isEqualTo(1);
        assertThat(compare(b, a).count(Outcome.WORSE)).isZero();
    }

    private static TrialResult failed(final int number, final String... reasons) {
        return CompareSamples.trial(
                "t",
                "shm:",
                number,
                new Repeat(latency(10_000), 5000, null),
                Verdict.FAIL,
                List.of(),
                List.of(reasons));
    }

    @Test
    void shouldCountACriterionThatTheOtherBreaksAlsoWhereTheFirstBreaksAnother() {
        final Side a = side("A", List.of(failed(1, "1 message came late; at most 0 may.")));
        final Side b =
                side(
                        "B",
                        List.of(
                                failed(
                                        1,
                                        "12 messages came late; at most 0 may.",
                                        "The 99th percentile of the latency is 3.100 us; at most 3us is allowed."),
                                failed(
                                        2,
                                        "The 99th percentile of the latency is 3.200 us; at most 3us is allowed.",
                                        "The 99.9th percentile of the latency is 9.100 us; at most 3us is allowed.")));

        assertThat(compare(a, b).rows().getFirst().broken())
                .hasSize(2)
                .allMatch(sentence -> sentence.contains("percentile"));
        assertThat(compare(b, a).rows().getFirst().broken()).isEmpty();
    }

    /** Repeats of 100 messages that lost so many of them. */
    private static Side losing(final String name, final long... lost) {
        return side(
                name,
                IntStream.rangeClosed(1, lost.length)
                        .mapToObj(i ->
                                lost[i - 1] == 0
                                        ? trial(
                                                "t",
                                                "shm:",
                                                i,
                                                new Repeat(latency(10_000), 5000, null),
                                                Verdict.PASS)
                                        : failed(i, lost(lost[i - 1])))
                        .toList());
    }

    private static String lost(final long messages) {
        return String.format(
                Locale.ROOT,
                "Lost %,d of 5,000 messages expected (%.4g %%); at most 0 %% may be lost.",
                messages,
                messages / 50.0);
    }

    private static List<String> broken(final Side first, final Side other) {
        return compare(first, other).rows().getFirst().broken();
    }

    /** One lost message of the first run had excused all of the other's. */
    @Test
    void shouldCallTheOtherWorseThatLosesClearlyMoreThanTheFirst() {
        final Side a = losing("A", 0, 1, 0);

        assertThat(broken(a, losing("B", 2_400, 2_500, 2_450)))
                .containsExactly(
                        lost(2_500)
                                + " The first run breaks this, too, but clearly less: in 1 of 3 repeats against 3 of 3,"
                                + " and by 1 at most against 2,500.");
        assertThat(compare(a, losing("B", 2_400, 2_500, 2_450)).count(Outcome.WORSE)).isEqualTo(1);
        assertThat(broken(losing("B", 2_400, 2_500, 2_450), a)).isEmpty();
        assertThat(broken(a, losing("B", 2_500, 0, 0))).as("in one repeat").hasSize(1);
        assertThat(broken(losing("A", 0, 1, 0, 0, 0), losing("B", 1, 1, 1, 1, 1)))
                .as("more often")
                .hasSize(1);
        assertThat(broken(losing("A", 5, 4, 5), losing("B", 11, 12, 11)))
                .as("more in each")
                .hasSize(1);
    }

    /** No factor above one fits where the first loses half. */
    @Test
    void shouldCallTheOtherWorseOfWhichNothingArrives() {
        assertThat(broken(losing("A", 600, 0), losing("B", 5_000, 5_000))).hasSize(1);
        assertThat(broken(losing("A", 3_000, 3_000, 3_000), losing("B", 5_000, 5_000, 5_000)))
                .hasSize(1);
        assertThat(broken(losing("A", 3_000, 3_000, 3_000), losing("B", 3_500, 3_500, 3_500)))
                .isEmpty();
        assertThat(broken(losing("A", 5_000, 5_000), losing("B", 5_000, 5_000))).isEmpty();
    }

    @Test
    void shouldNotCallTheOtherWorseForALossThatTheFirstShowsAsWell() {
        assertThat(broken(losing("A", 0, 1, 0), losing("B", 3, 0, 0))).isEmpty();
        assertThat(broken(losing("A", 100, 0, 0), losing("B", 0, 400, 0))).isEmpty();
        assertThat(broken(losing("A", 5, 4, 5), losing("B", 9, 10, 10))).isEmpty();
        assertThat(broken(losing("A", 1), losing("B", 3))).as("one repeat of each").isEmpty();
        assertThat(broken(losing("A", 0, 1, 0), losing("B", 1, 1, 1)))
                .as("more often, which may be chance")
                .isEmpty();
    }

    /** A criterion that counts nothing is compared by how often it is broken. */
    @Test
    void shouldCallTheOtherWorseThatBreaksACriterionInClearlyMoreRepeats() {
        final String slow =
                "Held 4,000/s of the 5,000/s asked for (80 %); at least 95 % must be held.";
        final Repeat repeat = new Repeat(latency(10_000), 5000, null);
        final TrialResult held = trial("t", "shm:", 1, repeat, Verdict.PASS);
        final Side a = side("A", List.of(failed(1, slow), held, held, held, held, held));

        assertThat(broken(a, side("B", List.of(failed(1, slow), failed(2, slow), held, held))))
                .isEmpty();
        assertThat(broken(a, side("B", List.of(failed(1, slow), failed(2, slow), failed(3, slow)))))
                .containsExactly(
                        slow
                                + " The first run breaks this, too, but clearly less: in 1 of 6 repeats against 3 of 3.");
    }

    private static TrialResult voided(final int number, final String reason) {
        return CompareSamples.trial(
                "t",
                "shm:",
                number,
                new Repeat(latency(10_000), 5000, null),
                Verdict.VOID,
                List.of(),
                List.of(reason));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "latency-sub 1 ended.|2 of 4 repeats are void: latency-sub 1 ended.",
                "The machine had taken the core of latency-pub 1.|",
                "The noise floor may explain it: too noisy to tell.|",
                "The run was interrupted.|"
            })
    void shouldCountVoidRepeatsOfTheOtherRunAsWorseUnlessTheyWereSpoiled(
            final String reason, final String broken) {
        final Repeat repeat = new Repeat(latency(10_000), 5000, null);
        final Side a = side("A", "t", "shm:", List.of(repeat, repeat, repeat, repeat));
        final Side b =
                side(
                        "B",
                        List.of(
                                trial("t", "shm:", 1, repeat, Verdict.PASS),
                                voided(2, reason),
                                trial("t", "shm:", 3, repeat, Verdict.PASS),
                                voided(4, reason)));

        assertThat(compare(a, b).rows().getFirst().broken())
                .isEqualTo(broken == null ? List.of() : List.of(broken));
        assertThat(compare(b, a).rows().getFirst().broken()).isEmpty();
        assertThat(compare(a, b).notes())
                .contains(
                        "B is void or not complete, and only what it measured is compared: "
                                + reason);
    }

    private static final String DIED = "latency-sub 1 ended.";

    /** Repeats that passed, and others with these reasons. */
    private static Side partlyVoid(final String name, final int passed, final String... reasons) {
        final Repeat repeat = new Repeat(latency(10_000), 5000, null);
        return side(
                name,
                IntStream.rangeClosed(1, passed + reasons.length)
                        .mapToObj(i ->
                                i <= passed
                                        ? trial("t", "shm:", i, repeat, Verdict.PASS)
                                        : voided(i, reasons[i - passed - 1]))
                        .toList());
    }

    @Test
    void shouldNotExcuseADeadOtherByASpoiledRepeatOfTheFirst() {
        for (final String spoiled :
                List.of(
                        "The machine had taken the core of latency-pub 1.",
                        RunVerdict.INTERRUPTED)) {
            assertThat(
                            compare(partlyVoid("A", 2, spoiled), partlyVoid("B", 2, DIED))
                                    .rows()
                                    .getFirst()
                                    .broken())
                    .containsExactly("1 of 3 repeats are void: " + DIED);
        }
    }

    @Test
    void shouldCallTheOtherWorseThatDiesInAClearlyLargerPartOfItsRepeats() {
        final Side a = partlyVoid("A", 4, DIED);

        assertThat(compare(a, partlyVoid("B", 2, DIED, DIED, DIED)).rows().getFirst().broken())
                .as("more often, which may be chance")
                .isEmpty();
        final Side dying = partlyVoid("B", 1, DIED, DIED, DIED, DIED, DIED, DIED);
        assertThat(compare(a, dying).rows().getFirst().broken())
                .containsExactly(
                        "6 of 7 repeats are void, against 1 of 5 repeats of the first run: "
                                + DIED);
    }

    static Side stream(final String name, final long boundNs, final double... p50s) {
        final RoleSummary here = new RoleSummary("stream-pub", 1, Map.of(), List.of());
        final RoleSummary there =
                new RoleSummary(
                        "stream-sub",
                        1,
                        Map.of("host", "h2", RoleSummary.CLOCK_BOUND_NS, boundNs),
                        List.of());
        return side(
                name,
                IntStream.range(0, p50s.length)
                        .mapToObj(i ->
                                CompareSamples.trial(
                                        "t",
                                        "udp:",
                                        i + 1,
                                        new Repeat(latency(p50s[i]), 5000, null),
                                        Verdict.PASS,
                                        boundNs > 0 ? List.of(here, there) : List.of(here),
                                        List.of()))
                        .toList());
    }

    @Test
    void shouldNotReportADifferenceOfOneWayTimesThatTheClocksMayHaveMade() {
        final double[] before = {20_000, 20_050, 19_950, 20_020, 19_980};
        final double[] after = {24_000, 24_050, 23_950, 24_020, 23_980};
        final Comparison comparison =
                compare(stream("A", 3_000, before), stream("B", 2_000, after));

        assertThat(figure(comparison, "responseNs.p50"))
                .satisfies(figure -> {
                    assertThat(figure.outcome()).isEqualTo(Outcome.TOO_NOISY);
                    assertThat(figure.reason()).contains("clocks", "3.0 us and 2.0 us");
                });
        assertThat(figure(comparison, "responseNs.p999").outcome())
                .as("12 us apart")
                .isEqualTo(Outcome.WORSE);
        assertThat(figure(comparison, Samples.RATE).outcome()).isEqualTo(Outcome.NO_DIFFERENCE);
        assertThat(comparison.notes())
                .anyMatch(note -> note.startsWith("A has one-way times between hosts"));
        assertThat(figure(compare(stream("A", 0, before), stream("B", 0, after)), "responseNs.p50"))
                .as("on one host")
                .extracting(ComparedFigure::outcome)
                .isEqualTo(Outcome.WORSE);
    }

    @Test
    void shouldNotCallOneWayTimesEqualThatTheClocksMayHaveMadeSo() {
        final double[] both = {20_000, 20_010, 19_990, 20_005, 19_995};

        assertThat(
                        figure(
                                        compare(stream("A", 3_000, both), stream("B", 2_000, both)),
                                        "responseNs.p50")
                                .outcome())
                .isEqualTo(Outcome.TOO_NOISY);
        assertThat(
                        figure(
                                        compare(stream("A", 100, both), stream("B", 100, both)),
                                        "responseNs.p50")
                                .outcome())
                .as("bounds of less than what is worth telling")
                .isEqualTo(Outcome.NO_DIFFERENCE);
        final double[] slower = {20_500, 20_510, 20_490, 20_505, 20_495};
        assertThat(
                        figure(
                                compare(stream("A", 150, both), stream("B", 150, slower)),
                                "responseNs.p50"))
                .as("2.5 % apart, and 1.5 % by the clocks: it may be more than is worth telling")
                .satisfies(figure -> {
                    assertThat(figure.outcome()).isEqualTo(Outcome.TOO_NOISY);
                    assertThat(figure.doubt()).isEqualTo(Doubt.CLOCKS);
                });
    }

    /** They passed as equal, or differed for certain, beside a note that said the opposite. */
    @Test
    void shouldDoubtUndisturbedOneWayTimesThatTheClocksMayHaveMade() {
        final double[] p50s = {20_000, 20_010, 19_990, 20_005, 19_995};
        final Side a = undisturbed(stream("A", 3_000, p50s), 20_000);
        final Side same = undisturbed(stream("B", 2_000, p50s), 20_000);
        final Side slower = undisturbed(stream("B", 2_000, p50s), 24_000);

        for (final Side b : List.of(same, slower)) {
            assertThat(figure(undisturbed(a, b), "undisturbedNs.p50"))
                    .satisfies(figure -> {
                        assertThat(figure.outcome()).isEqualTo(Outcome.TOO_NOISY);
                        assertThat(figure.reason()).contains("clocks", "3.0 us and 2.0 us");
                    });
        }
        assertThat(
                        figure(
                                        undisturbed(
                                                a, undisturbed(stream("B", 2_000, p50s), 30_000)),
                                        "undisturbedNs.p50")
                                .outcome())
                .as("10 us apart")
                .isEqualTo(Outcome.WORSE);
    }

    private static Side undisturbed(final Side side, final double p50) {
        return side(
                side.name(),
                side.result().trials().stream()
                        .map(trial ->
                                trial.withTail(
                                        tail(latency(p50 + trial.repeat()), 0.01, ""), List.of()))
                        .toList());
    }

    /** It sent twice as much, lost most of it, and was better. */
    @Test
    void shouldCallTheOtherWorseOfWhoseStreamLessArrivesWhereLossesAreTolerated() {
        final Side a = lossy("A", 10_000, 10_000);

        assertThat(figure(compare(a, lossy("B", 10_000, 2_000)), Samples.RATE).outcome())
                .isEqualTo(Outcome.WORSE);
        final Comparison faster = compare(a, lossy("B", 20_000, 4_000));
        assertThat(figure(faster, Samples.RATE).outcome()).isEqualTo(Outcome.WORSE);
        assertThat(figure(faster, Samples.RATE).other().value()).isCloseTo(4_000, within(20.0));
        assertThat(Gate.of(faster, compare(a, a), 0.9, 1_000, true).verdict())
                .isEqualTo(Gate.GateVerdict.WORSE);
        assertThat(figure(compare(a, lossy("B", 20_000, 12_000)), Samples.RATE).outcome())
                .isEqualTo(Outcome.BETTER);
    }

    /** A stream for a second, of which so many arrive, by a plan that tolerates every loss. */
    private static Side lossy(final String name, final long sent, final long received) {
        final List<TrialResult> trials = new ArrayList<>();
        for (int repeat = 1; repeat <= 3; repeat++) {
            final TrialMerge merge = new TrialMerge();
            merge.add(
                    "stream-pub-1",
                    new StepResult(
                            0,
                            "",
                            64,
                            Map.of(Counts.SENT, sent),
                            1_000_000_000,
                            0,
                            sent + repeat,
                            Map.of(),
                            List.of()));
            merge.add(
                    "stream-sub-1",
                    StepResult.received(
                            0, "", 64, Map.of(Counts.RECEIVED, received), 1_000_000_000, Map.of()));
            final TrialResult row =
                    merge.rows(
                                    new TrialFacts(
                                            "t",
                                            "stream",
                                            "udp:",
                                            repeat,
                                            1,
                                            2,
                                            null,
                                            null,
                                            Settings.read(
                                                    Criteria.class,
                                                    Map.of("maxLostPart", 1),
                                                    key -> key),
                                            false,
                                            List.of(),
                                            List.of(),
                                            List.of()))
                            .getFirst();
            assertThat(row.verdict()).isEqualTo(Verdict.PASS);
            trials.add(row);
        }
        return side(name, trials);
    }

    /**
     * Messages each 100 us, answered within 20 us. Of one build, another task has the core for 2 ms
     * in every 200; the other collects garbage for 5, as its JVM's log says.
     */
    @Test
    void shouldCallABuildWorseThatCollectsMoreAlsoByUndisturbedFigures(@TempDir final Path folder)
            throws Exception {
        final Side lazy = collecting("A", folder.resolve("a"), false);
        final Side busy = collecting("B", folder.resolve("b"), true);

        assertThat(figure(compare(lazy, busy), "responseNs.p99").outcome())
                .isEqualTo(Outcome.WORSE);
        assertThat(figure(undisturbed(lazy, busy), "undisturbedNs.p99").outcome())
                .isEqualTo(Outcome.WORSE);
    }

    private static final long US = 1_000;
    private static final long MS = 1_000_000;

    private static Side collecting(final String name, final Path folder, final boolean collects)
            throws Exception {
        final List<TrialResult> trials = new ArrayList<>();
        for (int repeat = 1; repeat <= 5; repeat++) {
            final Path role = Files.createDirectories(folder.resolve("" + repeat));
            final Histogram latencies = new Histogram(3);
            final StringBuilder stalls = new StringBuilder("dated,%d,0,,7,6,,\n".formatted(repeat));
            final StringBuilder pauses = new StringBuilder();
            try (StallRecording recording =
                    new StallRecording(Optional.of(role), repeat, () -> 0)) {
                recording.watch("pinger", StallWatch.Part.SEND_AND_RECEIVE, "");
                final MessageLog log = recording.messages(0, 20_000);
                for (long i = 0; i < 20_000; i++) {
                    final long intendedNs = MS + i * 100 * US;
                    final long inNs = intendedNs % (200 * MS);
                    final boolean isStalled = inNs < 5 * MS && (collects || inNs < 2 * MS);
                    final long sentNs =
                            isStalled ? intendedNs - inNs + (collects ? 5 : 2) * MS : intendedNs;
                    final long receivedNs = sentNs + 20 * US + repeat * 10 + i % 7;
                    log.add(intendedNs, sentNs, receivedNs);
                    latencies.recordValue(receivedNs - intendedNs);
                }
            }
            for (long ns = 200 * MS; ns < 2_000 * MS; ns += 200 * MS) {
                final long endNs = ns + (collects ? 5 : 2) * MS;
                final long lengthNs = endNs - ns;
                stalls.append(
                        "stall,%1$d,0,%2$d,%3$d,%4$d,%5$d,0,1,0,0,0,%4$d%n"
                                .formatted(repeat, ns, endNs, lengthNs, collects ? 0 : lengthNs));
                stalls.append(
                        "off,%d,0,%d,%d,%d,,3,3%n".formatted(repeat, ns, endNs, collects ? 0 : 1));
                if (collects) {
                    pauses.append(
                            ("[%1$dns] Safepoint \"G1CollectFull\", Time since last: 9 ns, Reaching safepoint: 0 ns,"
                                            + " At safepoint: %2$d ns, Leaving safepoint: 0 ns, Total: %2$d ns,"
                                            + " Threads: 2 runnable, 10 total%n")
                                    .formatted(endNs, lengthNs));
                }
            }
            Files.writeString(role.resolve(RoleFiles.STALLS), stalls, StandardOpenOption.APPEND);
            final Path log = Files.writeString(role.resolve(RoleFiles.PAUSES), pauses);
            final TrialResult trial =
                    trial(
                            "t",
                            "shm:",
                            repeat,
                            new Repeat(LatencySummary.of(latencies), 10_000, noise(0, 1_000)),
                            Verdict.PASS);
            final TailSummary tail =
                    new TailReader()
                            .summary(
                                    List.of(
                                            new TailReader.RoleFolder(
                                                    "latency-pub",
                                                    1,
                                                    Optional.of(role),
                                                    List.of(log))),
                                    trial,
                                    warning -> {
                                        throw new AssertionError(warning);
                                    })
                            .orElseThrow();
            assertThat(tail.undisturbed().refused()).isEmpty();
            assertThat(tail.undisturbed().leftOutPart() > 0).isEqualTo(!collects);
            trials.add(trial.withTail(tail, List.of()));
        }
        return side(name, trials);
    }
}
