package io.tickmark.report.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TailSummary;
import io.tickmark.kernel.result.TailSummary.Band;
import io.tickmark.kernel.result.TailSummary.Charge;
import io.tickmark.kernel.result.TailSummary.NotTraced;
import io.tickmark.kernel.result.TailSummary.Stages;
import io.tickmark.kernel.result.TailSummary.Trace;
import io.tickmark.kernel.result.TailSummary.Undisturbed;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.lab.verdict.Labels;
import io.tickmark.report.Trials;
import io.tickmark.report.text.Figures;
import io.tickmark.report.words.Cautions;
import io.tickmark.report.words.RunSentences;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a reader is shown about the slowest messages. */
class TailFiguresTest {
    private static final String TAKEN = "another task ran on the core";

    private static TailSummary tail(final long machineNs, final long restNs) {
        final Band slowest =
                new Band(
                        99,
                        99.9,
                        900,
                        machineNs + restNs,
                        List.of(
                                new Charge("machine", TAKEN, "apportioned", false, machineNs / 4),
                                new Charge(
                                        "machine",
                                        TAKEN,
                                        "apportioned",
                                        true,
                                        machineNs - machineNs / 4)),
                        restNs);
        return new TailSummary(
                100_000,
                100_000,
                9_120,
                List.of(slowest),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                new Undisturbed(0.02, "", Trials.latency(9_100)),
                List.of(),
                "",
                "");
    }

    private static TrialResult row(final TailSummary tail, final String... labels) {
        return Trials.closedLoop().row().withTail(tail, List.of(labels));
    }

    private static List<Block> blocks(final TrialResult... rows) {
        return Block.of(run(rows));
    }

    private static RunResult run(final TrialResult... rows) {
        return Trials.run(rows);
    }

    @Test
    void shouldAddUpTheRepeatsBeforeItDivides() {
        final List<SideTable> tables =
                TailFigures.of(
                        blocks(
                                row(tail(300_000, 700_000)),
                                Trials.closedLoop()
                                        .repeat(2)
                                        .row()
                                        .withTail(tail(900_000, 100_000), List.of())));
        assertThat(tables.getFirst().rows())
                .singleElement()
                .satisfies(cells ->
                        assertThat(cells)
                                .contains("99.0 to 99.9 %", "60.0 %", "0 %", "40.0 %")
                                .anyMatch(cell ->
                                        cell.startsWith("queued behind delayed messages: ")));
        assertThat(tables.get(1).rows())
                .containsExactly(
                        List.of(
                                "udp://127.0.0.1:0",
                                "99.0 to 99.9 %",
                                "machine",
                                "waited behind others: " + TAKEN,
                                "apportioned",
                                "45.0 %"),
                        List.of(
                                "udp://127.0.0.1:0",
                                "99.0 to 99.9 %",
                                "machine",
                                TAKEN,
                                "apportioned",
                                "15.0 %"));
        assertThat(tables.get(2).rows().getFirst()).contains("2.00 %", "9.10 us");
    }

    @Test
    void shouldSayWhyThereAreNoUndisturbedFigures() {
        final TailSummary refused =
                new TailSummary(
                        1_000,
                        1_000,
                        9_120,
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        new Undisturbed(0.5, "50.0 % of the messages would be left out", null),
                        List.of(),
                        "",
                        "");
        assertThat(TailFigures.of(blocks(row(refused))).getFirst().rows().getFirst())
                .contains("refused in 1 repeat: 50.0 % of the messages would be left out", "n/a");
    }

    @Test
    void shouldHaveNoTableWhereNobodyLooked() {
        assertThat(TailFigures.of(blocks(Trials.closedLoop().row()))).isEmpty();
    }

    @Test
    void shouldSayInOneSentenceWhoseTheTailIs() {
        assertThat(RunSentences.of(run(row(tail(600_000, 400_000))), Figures.ASCII))
                .contains(
                        "Of the time that the slowest 1 % took above the median, 60.0 % was taken by the machine (mostly: "
                                + TAKEN
                                + "), 40.0 % engine, kernel path or unseen.");
        assertThat(RunSentences.first(run(row(tail(0, 400_000))), Figures.ASCII))
                .hasSize(3)
                .contains(
                        "Of the time that the slowest 1 % took above the median, 100 % was engine, kernel path or unseen.");
        assertThat(RunSentences.of(run(row(tail(600_000, 400_000), "saturated")), Figures.ASCII))
                .noneMatch(sentence -> sentence.contains("slowest 1 %"));
    }

    @Test
    void shouldBlameTheMachineInOneSentenceWhereItDisturbed() {
        assertThat(Cautions.of(run(row(tail(900_000, 100_000), "disturbed")), Figures.ASCII))
                .anySatisfy(sentence ->
                        assertThat(sentence)
                                .startsWith("The machine accounts for 90.0 % of the time")
                                .endsWith(
                                        "above the median ("
                                                + TAKEN
                                                + "); 10.0 % is engine, kernel path or unseen."));
        assertThat(Cautions.of(run(row(tail(10_000, 990_000))), Figures.ASCII))
                .noneMatch(sentence -> sentence.contains("The machine accounts"));
    }

    /** Of the default run it named each, in twelve lines of a screen. */
    @Test
    void shouldNameThoseThatTheMachineDisturbedMost() {
        final TrialResult[] rows =
                IntStream.rangeClosed(1, 6)
                        .mapToObj(test ->
                                Trials.closedLoop()
                                        .test("t-" + test)
                                        .row()
                                        .withTail(
                                                tail(100_000L * test, 1_000_000 - 100_000L * test),
                                                List.of("disturbed")))
                        .toArray(TrialResult[]::new);

        assertThat(Cautions.of(Trials.run(List.of(rows), List.of()), Figures.ASCII))
                .anySatisfy(sentence ->
                        assertThat(sentence)
                                .startsWith("The machine accounts for a part of the time")
                                .contains(
                                        "(" + TAKEN + "): t-6 on ",
                                        " 60.0 % of the slowest 1 %, t-5")
                                .endsWith(" 30.0 % of the slowest 1 % and 2 more."));
    }

    /** A thousand messages have no ten that are slower than 99 % of them. */
    @Test
    void shouldSpeakOfTheSlowestTenthWhereAHundredthIsTooFew() {
        final Band tenth =
                new Band(
                        90,
                        99,
                        90,
                        1_000,
                        List.of(new Charge("machine", TAKEN, "dated", false, 600)),
                        400);
        final TailSummary tail =
                new TailSummary(
                        1_000,
                        1_000,
                        9_120,
                        List.of(tenth),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        new Undisturbed(0.02, "", Trials.latency(9_100)),
                        List.of(),
                        "",
                        "");

        assertThat(tenth.datedNs()).isEqualTo(600);
        assertThat(RunSentences.of(run(row(tail)), Figures.ASCII))
                .anySatisfy(sentence ->
                        assertThat(sentence)
                                .startsWith(
                                        "Of the time that the slowest 10 % took above the median, 60.0 % was taken"));
        assertThat(Cautions.of(run(row(tail, "disturbed")), Figures.ASCII))
                .anySatisfy(sentence -> assertThat(sentence).contains("that the slowest 10 % of"));
        assertThat(TailFigures.of(blocks(row(tail))).getFirst().rows().getFirst().getLast())
                .as("the dated part")
                .isEqualTo("60.0 %");
    }

    @Test
    void shouldMarkTheFiguresThatTheMachineDisturbed() {
        final Block disturbed = blocks(row(tail(600_000, 400_000), "disturbed")).getFirst();
        final Block quiet = blocks(row(tail(50_000, 950_000))).getFirst();

        assertThat(TailFigures.disturbed(disturbed.rows().getFirst())).containsExactly(99.9);
        assertThat(TailFigures.disturbed(quiet.rows().getFirst())).isEmpty();
    }

    private static TailSummary explained(
            final List<NotTraced> notTraced, final List<TailSummary.Ran> ran) {
        final TailSummary tail = tail(600_000, 400_000);
        return new TailSummary(
                tail.messages(),
                tail.of(),
                tail.medianNs(),
                tail.bands(),
                tail.threads(),
                List.of("store 1 notes no stalls."),
                notTraced,
                ran,
                tail.undisturbed(),
                List.of(),
                "",
                "");
    }

    @Test
    void shouldNameWhatRanInsteadTheLongestFirst() {
        final TailSummary first =
                explained(
                        List.of(),
                        List.of(
                                new TailSummary.Ran("cron", 1_000_000),
                                new TailSummary.Ran("python3", 4_000_000)));
        final TailSummary second =
                explained(List.of(), List.of(new TailSummary.Ran("python3", 5_000_000)));

        assertThat(RunSentences.of(run(row(first), row(second)), Figures.ASCII))
                .anySatisfy(sentence ->
                        assertThat(sentence)
                                .endsWith(
                                        " While threads were stalled, their cores mostly ran python3 (9.00 ms),"
                                                + " cron (1.00 ms), as far as the kernel showed."));
        assertThat(TailFigures.of(blocks(row(first), row(second))))
                .anySatisfy(table -> {
                    assertThat(table.title())
                            .isEqualTo("What ran while watched threads were stalled");
                    assertThat(table.rows().getFirst()).contains("python3", "9.00 ms", "90.0 %");
                });
    }

    /** Shares are of all that ran, not of what has a name in the table. */
    @Test
    void shouldAddUpWhatRanForAShorterTimeThanWhatItNames() {
        final List<TailSummary.Ran> twelve =
                IntStream.rangeClosed(1, 12)
                        .mapToObj(n -> new TailSummary.Ran("task-" + n, n * 1_000_000L))
                        .toList();
        final List<TailSummary.Ran> others =
                List.of(new TailSummary.Ran(TailSummary.Ran.OTHERS, 2_000_000));

        final TrialResult[] rows = {
            row(explained(List.of(), twelve)), row(explained(List.of(), others))
        };
        final List<TailSummary.Ran> ran = TailFigures.ranInstead(blocks(rows));
        assertThat(ran).hasSize(11).startsWith(new TailSummary.Ran("task-12", 12_000_000));
        assertThat(ran).last().isEqualTo(new TailSummary.Ran(TailSummary.Ran.OTHERS, 5_000_000));
        assertThat(RunSentences.of(run(rows), Figures.ASCII))
                .anySatisfy(sentence ->
                        assertThat(sentence)
                                .endsWith(
                                        "task-12 (12.0 ms), task-11 (11.0 ms), task-10 (10.0 ms),"
                                                + " as far as the kernel showed."));
    }

    @Test
    void shouldSayWhatCouldNotBeSeen() {
        final TailSummary tail =
                explained(
                        List.of(
                                new NotTraced(
                                        "stream-pub",
                                        1,
                                        "publisher",
                                        Trace.RAN_INSTEAD,
                                        "the kernel forbids it"),
                                new NotTraced(
                                        "stream-sub",
                                        1,
                                        "subscriber",
                                        Trace.RAN_INSTEAD,
                                        "the kernel forbids it")),
                        List.of());

        assertThat(Cautions.of(run(row(tail)), Figures.ASCII))
                .containsOnlyOnce(
                        "--explain is incomplete: what ran instead cannot be seen: the kernel forbids it.")
                .noneMatch(sentence -> sentence.contains("store 1"));
        assertThat(TailFigures.of(blocks(row(tail))))
                .anySatisfy(table -> {
                    assertThat(table.title()).isEqualTo("What may have delayed messages unseen");
                    assertThat(table.rows()).hasSize(3);
                    assertThat(table.rows().getFirst()).contains("store 1 notes no stalls.");
                    assertThat(table.rows().getLast())
                            .contains(
                                    "stream-sub 1, subscriber: what ran instead cannot be seen: the kernel forbids it.");
                });
    }

    @Test
    void shouldShowTheStagesOfAllRepeatsInFiguresAndBars() {
        final TailSummary one =
                withStages(
                        new Stages(
                                0,
                                50,
                                100,
                                0,
                                0,
                                0,
                                1_000,
                                2_000,
                                3_000,
                                4_000,
                                TailSummary.AtEcho.UNKNOWN,
                                TailSummary.Part.UNKNOWN,
                                TailSummary.Part.UNKNOWN));
        final TailSummary other =
                withStages(
                        new Stages(
                                0,
                                50,
                                300,
                                7,
                                0,
                                0,
                                3_000,
                                6_000,
                                1_209_000,
                                12_000,
                                TailSummary.AtEcho.UNKNOWN,
                                TailSummary.Part.UNKNOWN,
                                TailSummary.Part.UNKNOWN));

        final List<SideTable> tables =
                TailFigures.of(
                        blocks(
                                row(one),
                                Trials.closedLoop().repeat(2).row().withTail(other, List.of())));

        assertThat(tables)
                .anySatisfy(table -> {
                    assertThat(table.title())
                            .isEqualTo("Where messages were, by the kernel's times (means)");
                    assertThat(table.rows())
                            .singleElement()
                            .satisfies(cells ->
                                    assertThat(cells.subList(1, cells.size()))
                                            .containsExactly(
                                                    "0 to 50.0 %",
                                                    "400", "10.0 ns", "20.0 ns", "3.03 us",
                                                    "40.0 ns", "3.10 us", "7"));
                    assertThat(table.pictures())
                            .singleElement()
                            .satisfies(stack ->
                                    assertThat(stack.parts())
                                            .extracting(SideTable.Part::ns)
                                            .containsExactly(10.0, 20.0, 3030.0, 40.0));
                });
    }

    /** The echo did not tell of one of the hundred. */
    @Test
    void shouldShowWhatPassedAtTheEcho() {
        final TailSummary tail =
                withStages(
                        new Stages(
                                0,
                                50,
                                100,
                                0,
                                0,
                                0,
                                1_000,
                                2_000,
                                30_000,
                                4_000,
                                new TailSummary.AtEcho(99, 2_000, 20_000, 4_000, 3_000),
                                new TailSummary.Part(100, 500),
                                TailSummary.Part.UNKNOWN));

        assertThat(TailFigures.of(blocks(row(tail))))
                .anySatisfy(table -> {
                    assertThat(table.columns())
                            .containsSubsequence(
                                    "in the send call",
                                    "queueing discipline",
                                    "to the echo",
                                    "until the echo had it",
                                    "at the echo",
                                    "back",
                                    "network and echo, undivided",
                                    "until received",
                                    "latency");
                    assertThat(table.pictures().getFirst().parts())
                            .extracting(SideTable.Part::ns)
                            .containsExactly(10.0, 15.0, 5.0, 20.0, 200.0, 40.0, 30.0, 10.0, 40.0);
                });
    }

    @Test
    void shouldShowWhatPassedInTheCard() {
        final Stages alone =
                new Stages(
                        0,
                        50,
                        100,
                        0,
                        0,
                        0,
                        1_000,
                        2_000,
                        30_000,
                        4_000,
                        TailSummary.AtEcho.UNKNOWN,
                        TailSummary.Part.UNKNOWN,
                        new TailSummary.Part(100, 5_000));
        final Stages withEcho =
                new Stages(
                        0,
                        50,
                        100,
                        0,
                        0,
                        0,
                        1_000,
                        2_000,
                        30_000,
                        4_000,
                        new TailSummary.AtEcho(100, 8_000, 12_000, 4_000, 6_000),
                        TailSummary.Part.UNKNOWN,
                        new TailSummary.Part(100, 5_000));

        assertThat(TailFigures.of(blocks(row(withStages(alone)))))
                .anySatisfy(table -> {
                    assertThat(table.columns())
                            .containsSubsequence(
                                    "in the send call",
                                    "card and driver, both ways",
                                    "network and echo",
                                    "until received");
                    assertThat(table.pictures().getFirst().parts())
                            .extracting(SideTable.Part::ns)
                            .containsExactly(10.0, 20.0, 50.0, 250.0, 40.0);
                });
        assertThat(TailFigures.of(blocks(row(withStages(withEcho)))))
                .anySatisfy(table -> {
                    assertThat(table.columns())
                            .containsSubsequence(
                                    "card and driver, both ways",
                                    "network, both ways",
                                    "until the echo had it",
                                    "at the echo",
                                    "until received")
                            .doesNotContain("to the echo", "back");
                    assertThat(table.pictures().getFirst().parts())
                            .extracting(SideTable.Part::ns)
                            .containsExactly(10.0, 20.0, 50.0, 90.0, 120.0, 40.0, 40.0);
                });
    }

    @Test
    void shouldShowABarForEachBand() {
        assertThat(TailFigures.of(blocks(row(tail(60, 30)))))
                .anySatisfy(table -> {
                    assertThat(table.title())
                            .isEqualTo("Where the latency above the median comes from");
                    assertThat(table.pictures()).hasSameSizeAs(table.rows());
                });
    }

    @Test
    void shouldNotSpeakOfAnEchoOfAStream() {
        final TailSummary tail =
                withStages(
                        new Stages(
                                0,
                                50,
                                1,
                                0,
                                0,
                                0,
                                1,
                                2,
                                3,
                                4,
                                TailSummary.AtEcho.UNKNOWN,
                                TailSummary.Part.UNKNOWN,
                                TailSummary.Part.UNKNOWN));

        assertThat(TailFigures.of(blocks(Trials.stream().row().withTail(tail, List.of()))))
                .anySatisfy(table -> assertThat(table.columns()).contains("on the way"))
                .noneMatch(table -> table.columns().contains("network and echo"));
        assertThat(TailFigures.of(blocks(row(tail))))
                .anySatisfy(table -> assertThat(table.columns()).contains("network and echo"));
    }

    @Test
    void shouldSayOnceForAllChannelsWhyATailIsNotAttributed() {
        final String why = "several threads send";
        final TailSummary none =
                new TailSummary(
                        9,
                        9,
                        0,
                        List.of(),
                        List.of(),
                        List.of("stream-sub 1 notes no stalls."),
                        List.of(),
                        List.of(),
                        new Undisturbed(0, why, null),
                        List.of(),
                        "",
                        why);
        final TrialResult fast =
                Trials.stream().row().withTail(none, List.of(Labels.AS_FAST_AS_POSSIBLE));

        assertThat(
                        Cautions.of(
                                run(
                                        row(none),
                                        Trials.closedLoop()
                                                .repeat(2)
                                                .row()
                                                .withTail(none, List.of())),
                                Figures.ASCII))
                .containsOnlyOnce(
                        "Where the tail comes from is unknown for latency on udp://127.0.0.1:0: several threads send.");
        assertThat(Cautions.of(run(fast), Figures.ASCII))
                .as("its label says that")
                .noneMatch(sentence -> sentence.startsWith("Where the tail"));
        assertThat(TailFigures.of(blocks(row(none)))).isEmpty();
    }

    @Test
    void shouldSayOnceWhyThereAreNoStages() {
        final String why = "the kernel refuses to stamp datagrams (Operation not permitted)";
        final RunResult run =
                run(
                        row(withStages(List.of(), why)),
                        Trials.closedLoop()
                                .repeat(2)
                                .row()
                                .withTail(withStages(List.of(), why), List.of()));

        assertThat(Cautions.of(run, Figures.ASCII))
                .containsOnlyOnce(
                        "latency on udp://127.0.0.1:0: kernelTimes=true shows no stages: "
                                + why
                                + ".");
        assertThat(Cautions.of(run(row(tail(1, 1))), Figures.ASCII))
                .noneMatch(sentence -> sentence.contains("kernelTimes"));
    }

    @Test
    void shouldSayHowManyOfTheSlowestHaveNoStagesAndWhy() {
        final TailSummary merged =
                withStages(
                        List.of(
                                new Stages(
                                        0,
                                        50,
                                        100,
                                        900,
                                        900,
                                        0,
                                        1,
                                        2,
                                        3,
                                        4,
                                        TailSummary.AtEcho.UNKNOWN,
                                        TailSummary.Part.UNKNOWN,
                                        TailSummary.Part.UNKNOWN),
                                new Stages(
                                        90,
                                        99,
                                        70,
                                        290,
                                        10,
                                        280,
                                        1,
                                        2,
                                        3,
                                        4,
                                        TailSummary.AtEcho.UNKNOWN,
                                        TailSummary.Part.UNKNOWN,
                                        TailSummary.Part.UNKNOWN),
                                new Stages(
                                        99,
                                        100,
                                        9,
                                        27,
                                        5,
                                        20,
                                        1,
                                        2,
                                        3,
                                        4,
                                        TailSummary.AtEcho.UNKNOWN,
                                        TailSummary.Part.UNKNOWN,
                                        TailSummary.Part.UNKNOWN)),
                        "");
        final TailSummary nearlyAll =
                withStages(
                        List.of(
                                new Stages(
                                        90,
                                        100,
                                        90,
                                        10,
                                        10,
                                        0,
                                        1,
                                        2,
                                        3,
                                        4,
                                        TailSummary.AtEcho.UNKNOWN,
                                        TailSummary.Part.UNKNOWN,
                                        TailSummary.Part.UNKNOWN)),
                        "");

        assertThat(Cautions.of(run(row(merged)), Figures.ASCII))
                .contains(
                        "latency on udp://127.0.0.1:0: kernelTimes=true: of the slowest tenth, 396 messages, the kernel gave"
                                + " both times of 79: it did not say when 15 left, it did not say when 300 arrived, times of 2"
                                + " cannot be right. Messages that leave or are read together with the next have no times of"
                                + " their own, as over TCP and in batches; the means say nothing about them.");
        assertThat(Cautions.of(run(row(nearlyAll)), Figures.ASCII))
                .noneMatch(sentence -> sentence.contains("kernelTimes"));
    }

    private static TailSummary withStages(final Stages stages) {
        return withStages(List.of(stages), "");
    }

    private static TailSummary withStages(final List<Stages> stages, final String whyNone) {
        final TailSummary tail = tail(1, 1);
        return new TailSummary(
                tail.messages(),
                tail.of(),
                tail.medianNs(),
                tail.bands(),
                tail.threads(),
                tail.notWatched(),
                tail.notTraced(),
                tail.ranInstead(),
                tail.undisturbed(),
                stages,
                whyNone,
                "");
    }
}
