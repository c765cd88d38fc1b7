package io.tickmark.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Aggregate;
import io.tickmark.kernel.result.Answer;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.SearchSummary;
import io.tickmark.kernel.result.TailSummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.lab.verdict.Labels;
import io.tickmark.report.text.Figures;
import io.tickmark.report.words.Cautions;
import io.tickmark.report.words.VerdictWords;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunTablesTest {
    private static final RunTables WIDE = new RunTables(80, false);

    @Test
    void shouldShowTheColumnsOfTheFieldForAClosedLoop() {
        final RunResult run =
                Trials.run(
                        Trials.closedLoop().noise(312_000).row(),
                        Trials.closedLoop().size(1, 8192).noise(312_000).row());

        assertThat(WIDE.tables(run))
                .isEqualTo(
                        """
                        latency on udp://127.0.0.1:0
                        Round trip (closed loop); noise floor max 312 us; 2 hot threads on 2 cores
                        bytes  stdev us  ave us  min us  50% us  90% us  99% us  99.99% us  max us
                        -----  --------  ------  ------  ------  ------  ------  ---------  ------
                           64      1.82   10.03    8.21    9.12   10.94   13.68      36.48   91.20
                         8192      1.82   10.03    8.21    9.12   10.94   13.68      36.48   91.20

                        """);
    }

    @Test
    void shouldSayHowThreadsWaitedWhereTheyDidNotSpin() {
        final TrialResult adaptive =
                Trials.closedLoop()
                        .roles(
                                new TrialResult.RoleSummary(
                                        "latency-pub", 1, Map.of("idle", "adaptive"), List.of()))
                        .row();
        final TrialResult spinning =
                Trials.closedLoop()
                        .roles(
                                new TrialResult.RoleSummary(
                                        "latency-pub", 1, Map.of("idle", "spin"), List.of()))
                        .row();

        assertThat(WIDE.tables(Trials.run(adaptive))).containsPattern("cores,\\s+idle adaptive\n");
        assertThat(WIDE.tables(Trials.run(spinning))).doesNotContain("idle");
    }

    @Test
    void shouldShowSeveralChannelsOnOneScreen() {
        final String screen =
                new RunTables(120, false)
                        .screen(
                                Trials.run(
                                        Trials.openLoop().row(),
                                        Trials.closedLoop().channel("shm:").row()));

        assertThat(screen)
                .startsWith("latency, 64 bytes\nchannel ")
                .containsPattern("udp://127.0.0.1:0 +10,000/s .*us .*us .*[-=|.]+")
                .containsPattern("shm: .*9.12 us +13.7 us .*91.2 us +0 ")
                .contains("Passed.")
                .doesNotContain("Response time (from", "Measured:", "Nothing was lost");
        assertThat(screen.lines()).allMatch(line -> line.length() <= 120);
    }

    /** The longest had to go, and is one of the figures that everybody looks for. */
    @Test
    void shouldHaveAllFiguresAndBarsOnTheUsualTerminal() {
        final RunResult run =
                Trials.run(
                        Trials.openLoop().channel("aeron:ipc").row(),
                        Trials.closedLoop().labels("noisy", "disturbed").channel("shm:").row(),
                        Trials.closedLoop().verdict(Verdict.FAIL, "too slow").row());

        final String screen = WIDE.screen(run);

        assertThat(screen.lines()).allMatch(line -> line.length() <= 80);
        assertThat(screen)
                .containsPattern("aeron:ipc +10,000/s .* 0 +-+[|]=+[.]+\\n")
                .containsPattern("shm: .*[.] +ND\n")
                .containsPattern("udp://127.0.0.1:0 .*[.] +F\n")
                .contains("\nN noisy, D disturbed, F fail; bars from ")
                .contains("99.9 % longest lost\n");
        assertThat(new RunTables(120, false).screen(run)).contains("longest ", "noisy, disturbed");
        assertThat(new RunTables(60, false).screen(run)).as("no room").contains("longest");
    }

    @Test
    void shouldNameOnceTheChannelThatAllTestsShare() {
        final String screen =
                WIDE.screen(
                        Trials.run(
                                Trials.openLoop().test("at-1000").row(),
                                Trials.openLoop().test("at-25000").row()));

        assertThat(screen)
                .startsWith("udp://127.0.0.1:0, 64 bytes\ntest ")
                .containsPattern("\nat-25000 +10,000/s")
                .containsOnlyOnce("udp://127.0.0.1:0")
                .containsOnlyOnce("64 bytes");
    }

    @Test
    void shouldNotSpeakOfChannelsWhereThereAreNone() {
        assertThat(
                        WIDE.screen(
                                Trials.run(
                                        Trials.general().row(),
                                        Trials.general().test("hub").row())))
                .startsWith("test ")
                .contains("\nmarket ", "\nhub ");
    }

    /** All had arrived, and five came back late. */
    @Test
    void shouldNotShowLateEchoesAsLosses() {
        final String screen =
                WIDE.screen(
                        Trials.run(
                                Trials.openLoop().channel("shm:").row(),
                                Trials.openLoop().count("timedOut", 5).row()));

        assertThat(screen)
                .containsPattern("longest +no echo\n")
                .containsPattern("shm: .* us +0 +-+[|]")
                .containsPattern("udp://127.0.0.1:0 .* us +5 +-+[|]")
                .doesNotContain("lost");
        assertThat(
                        new RunTables(120, false)
                                .screen(
                                        Trials.run(
                                                Trials.openLoop().count("timedOut", 5).row(),
                                                Trials.stream().lost(3).row())))
                .containsPattern("longest +lost +no echo")
                .containsPattern("latency .* us +0 +5 ")
                .containsPattern("stream .* us +3 +[-=|.]+");
        assertThat(
                        WIDE.screen(
                                Trials.run(
                                        Trials.openLoop().channel("shm:").row(),
                                        Trials.openLoop().lost(5).count("timedOut", 5).row())))
                .as("a lost ping has no echo, of course")
                .containsPattern("udp://127.0.0.1:0 .* us +5 ")
                .doesNotContain("no echo");
    }

    /** The terminal had one rate above the other without a word which is which. */
    @Test
    void shouldSayWhatWasSentAndWhatWasEchoedWhereTheyDiffer() {
        assertThat(WIDE.render(Trials.run(Trials.openLoop().count("timedOut", 100).row())))
                .contains("offered 10,000/s, sent 10,000/s, echoed 9,000/s");
    }

    /** Of 25,000 a second that were sent a tenth came back. */
    @Test
    void shouldShowTheRateThatAForeignServiceEchoed() {
        final String screen =
                WIDE.screen(
                        Trials.run(
                                Trials.openLoop().test("a").foreignEcho(0).row(),
                                Trials.openLoop()
                                        .test("b")
                                        .sent(100_000)
                                        .rate(25_000, 25_000)
                                        .foreignEcho(90_000)
                                        .row()));

        assertThat(screen)
                .containsPattern("test .* no echo ")
                .containsPattern("\nb +2,500/s .* 90,000 ")
                .contains("90,000 had no echo in time");
    }

    @Test
    void shouldBeginWithTheAnswerAndLeaveOutThatItPassed() {
        final RunResult run =
                Trials.run(Trials.openLoop().row(), Trials.openLoop().channel("shm:").row())
                        .with(
                                new Answer(
                                        "This machine: good to 1.00 ms.",
                                        Map.of(),
                                        List.of(new Answer.Note("It", List.of("It is small.")))));

        assertThat(WIDE.screen(run))
                .startsWith("This machine: good to 1.00 ms.\n\n")
                .contains("\nIt\n- It is small.\n")
                .doesNotContain("Passed", "Measured");
        assertThat(VerdictWords.of(run).kind()).isEqualTo("measured");
        assertThat(VerdictWords.of(Trials.run(Trials.openLoop().row())).kind()).isEqualTo("pass");
        assertThat(WIDE.render(run))
                .startsWith("This machine: good to")
                .contains("Measured: 1 test");
        assertThat(
                        WIDE.screen(
                                Trials.run(Trials.openLoop().verdict(Verdict.FAIL, "why").row())
                                        .with(run.answer())))
                .contains("Failed.");
    }

    /** It said 'does not hold' of rows that may be worth nothing, without a word about that. */
    @Test
    void shouldShowBesideAnAnswerWhyItsRowsMayBeWorthNothing() {
        final List<TrialResult> rows = new java.util.ArrayList<>();
        for (final String test : List.of("at-8", "at-40", "at-200", "at-1000", "at-5000")) {
            rows.add(perhapsTaken(test));
        }
        final RunResult run =
                Trials.run(rows, List.of())
                        .with(
                                new Answer(
                                        "It holds 200/s.",
                                        Map.of(),
                                        List.of(new Answer.Note("It", List.of("It is small.")))));

        final String screen = WIDE.screen(run);

        assertThat(screen.replaceAll("\\s+", " "))
                .contains(
                        " Keep in mind - at-8 on udp://127.0.0.1:0, at-40 on udp://127.0.0.1:0, at-200 on udp://127.0.0.1:0,"
                                + " at-1000 on udp://127.0.0.1:0 and 1 more: for up to 91 % of the time another task ran on the"
                                + " core of latency-pub 1, publisher; whether ")
                .doesNotContain("Noise could explain");
        assertThat(screen.lines().count()).isLessThanOrEqualTo(RunTables.SCREEN_LINES);
    }

    private static TrialResult perhapsTaken(final String test) {
        return Trials.openLoop()
                .test(test)
                .noise(90_000)
                .row()
                .withTail(
                        new TailSummary(
                                1_000,
                                1_000,
                                1,
                                List.of(),
                                List.of(
                                        new TailSummary.WatchedThread(
                                                "latency-pub",
                                                1,
                                                "publisher",
                                                1,
                                                1,
                                                1,
                                                0,
                                                0,
                                                "",
                                                0.91,
                                                "context switches have no timestamps")),
                                List.of(),
                                List.of(),
                                List.of(),
                                new TailSummary.Undisturbed(0, "no", null),
                                List.of(),
                                "",
                                ""),
                        List.of(Labels.NOISY, Labels.PERHAPS_TAKEN));
    }

    /** A calibration printed 57 lines, a stream one for each repeat. */
    @Test
    void shouldShowAsManyTablesOfASingleTestAsFitOneScreen() {
        final Map<String, Object> metrics = new LinkedHashMap<>();
        metrics.put("off.programmed", 7);
        metrics.put("off.measured", 8);
        for (int i = 0; i < 40; i++) {
            metrics.put("met" + i + ".programmed", i);
            metrics.put("met" + i + ".measured", i);
        }
        final String calibrated =
                WIDE.screen(
                        Trials.run(
                                Trials.openLoop()
                                        .roles(
                                                new TrialResult.RoleSummary(
                                                        "calibrate", 1, metrics, List.of()))
                                        .row()));
        assertThat(calibrated).contains("programmed  measured", "\noff ").doesNotContain("met1");

        final List<TrialResult> repeats = new java.util.ArrayList<>();
        for (int repeat = 1; repeat <= 20; repeat++) {
            repeats.add(Trials.stream().repeat(repeat).row());
        }
        final RunResult streamed = Trials.run(repeats, List.of());
        assertThat(WIDE.screen(streamed))
                .contains("channel", "Passed.")
                .doesNotContain("actual_sends");
        assertThat(WIDE.render(streamed)).contains("actual_sends");
        assertThat(WIDE.screen(Trials.run(Trials.stream().row()))).contains("actual_sends");
    }

    /** Of a loop that measures its own thread, 46 lines. */
    @Test
    void shouldLeaveOutWhatProcessesUsedWhereAllDoesNotFit() {
        final Map<String, Object> metrics = new LinkedHashMap<>();
        for (int i = 0; i < 18; i++) {
            metrics.put("figure" + i, i);
        }
        for (final String used : List.of("cpuPercentMin", "residentBytesMax", "startLateNs")) {
            metrics.put(used, 1);
        }
        for (int i = 0; i < 10; i++) {
            metrics.put("text" + i, "how it was started");
        }
        metrics.put("figures", "ts_min_ns=30");
        final RunResult run =
                Trials.run(
                        Trials.general()
                                .roles(new TrialResult.RoleSummary("jitter", 1, metrics, List.of()))
                                .row());

        assertThat(WIDE.render(run)).contains("cpuPercentMin", "startLateNs", "text9: how");
        assertThat(WIDE.screen(run))
                .contains("figure17", "figures: ts_min_ns=30")
                .doesNotContain("cpuPercent", "residentBytes", "startLateNs", "text0");
    }

    /** The role knows none of these words; an older one said them itself. */
    @Test
    void shouldSayTheFiguresOfAJitterLoopInTheWordsOfTheToolThatItsUsersKnow() {
        final Map<String, Object> pinned =
                Map.of("passes", 200, "spinCount", 150, "minNs", 36, "maxNs", 90, "core", 1);
        final Map<String, Object> free =
                Map.of("passes", 100, "spinCount", 0, "minNs", 35, "maxNs", 80);
        final RunResult run =
                Trials.run(
                        Trials.general()
                                .roles(
                                        new TrialResult.RoleSummary("jitter", 1, pinned, List.of()),
                                        new TrialResult.RoleSummary("jitter", 2, free, List.of()))
                                .row());

        for (final String text : List.of(WIDE.screen(run), WIDE.render(run))) {
            assertThat(text.replaceAll("\\s+", " "))
                    .contains(
                            "figures: o_affinity_cpu=1, o_jitter_loops=200, o_spin_cnt=150, ts_min_ns=36, ts_max_ns=90,",
                            "figures: o_affinity_cpu=-1, o_jitter_loops=100, o_spin_cnt=0, ts_min_ns=35, ts_max_ns=80,");
        }
    }

    /** As of jitter on two cores: each line ends with a comma in the tool that it comes from. */
    @Test
    void shouldBeginALineForTheFiguresOfEachRole() {
        final RunResult run =
                Trials.run(
                        Trials.general()
                                .roles(
                                        new TrialResult.RoleSummary(
                                                "jitter",
                                                1,
                                                Map.of("figures", "ts_min_ns=36, ts_max_ns=90,"),
                                                List.of()),
                                        new TrialResult.RoleSummary(
                                                "jitter",
                                                2,
                                                Map.of("figures", "ts_min_ns=35, ts_max_ns=80,"),
                                                List.of()))
                                .row());

        for (final String text : List.of(WIDE.screen(run), WIDE.render(run))) {
            assertThat(text.lines())
                    .contains(
                            "figures: ts_min_ns=36, ts_max_ns=90,",
                            "figures: ts_min_ns=35, ts_max_ns=80,");
        }
    }

    @Test
    void shouldKeepTheFurtherLinesOfATextWithinTheWidth() {
        final String words = "word ".repeat(60).strip();
        final RunResult run =
                Trials.run(
                        Trials.general()
                                .roles(
                                        new TrialResult.RoleSummary(
                                                "jitter", 1, Map.of("text", words), List.of()))
                                .row());

        for (final int width : List.of(80, 81, 82, 83, 84)) {
            assertThat(new RunTables(width, false).render(run).lines())
                    .filteredOn(line -> line.contains("word word"))
                    .hasSizeGreaterThan(1)
                    .allMatch(line -> line.length() <= width);
        }
    }

    /** As of a FIX fan-out with a capture, or of a hub between its roles. */
    @Test
    void shouldKeepATestWithManyTablesOfItsOwnOnOneScreen() {
        final Map<String, Object> few = new LinkedHashMap<>();
        few.put("producers", 50);
        final Map<String, Object> many = new LinkedHashMap<>();
        for (int i = 0; i < 60; i++) {
            many.put("figure" + i, i);
        }
        many.put("figures", "ts_min_ns=30");
        final RunResult run =
                Trials.run(
                        Trials.general()
                                .roles(
                                        new TrialResult.RoleSummary("capture", 1, many, List.of()),
                                        new TrialResult.RoleSummary("gateway", 1, few, List.of()))
                                .row());

        for (final int width : List.of(80, 140)) {
            final String screen = new RunTables(width, false).screen(run);

            assertThat(screen.lines().count()).isLessThanOrEqualTo(RunTables.SCREEN_LINES);
            assertThat(screen)
                    .contains(
                            "achieved/s",
                            "producers",
                            "figure0 ",
                            "Also in summary.txt: the rest of capture.",
                            "Passed.")
                    .as("its users look for the words of another tool")
                    .contains("figures: ts_min_ns=30")
                    .doesNotContain("figure59");
            assertThat(new RunTables(width, false).render(run)).contains("figure59");
        }
    }

    /** Its users had to find the percentiles in a table, and there was no bar. */
    @Test
    void shouldBeginATestOfItsOwnKindWithItsLine() {
        final String screen =
                WIDE.screen(Trials.run(Trials.general().labels("noisy", "disturbed").row()));

        assertThat(screen)
                .startsWith("market\ntest ")
                .containsPattern(
                        "\nmarket +50,000/s +80.0 us +120 us +160 us +800 us +0 +-+[|]=+[.]+ +ND\n")
                .containsOnlyOnce("  99.9 %  ")
                .contains("achieved/s", "Post round trip", "Passed.")
                .as("its line says that")
                .doesNotContain("Measured:", "Nothing was lost");
    }

    @Test
    void shouldNotShowALineWithoutALatency() {
        assertThat(WIDE.screen(Trials.run(Trials.general().latency("postRoundTripNs", null).row())))
                .startsWith("market\nNo latency measured;")
                .contains("achieved/s", "Measured: 1 test", "Passed.");
    }

    /** What a burst needs, or the comparison with the run before, came on top of a full screen. */
    @Test
    void shouldLeaveRoomForWhatIsPrintedBesides() {
        final List<TrialResult> rows = new java.util.ArrayList<>();
        for (int test = 1; test <= 40; test++) {
            rows.add(Trials.openLoop().test("test-" + test).row());
        }
        final Map<String, Object> metrics = new LinkedHashMap<>();
        for (int i = 0; i < 60; i++) {
            metrics.put("figure" + i, i);
        }
        final TrialResult general =
                Trials.general()
                        .roles(new TrialResult.RoleSummary("capture", 1, metrics, List.of()))
                        .row();
        for (final RunResult run :
                List.of(
                        Trials.run(rows, List.of()),
                        Trials.run(general),
                        Trials.run(Trials.stream().row()),
                        Trials.run(rows.subList(0, 1), List.of()))) {
            for (final int besides : new int[] {0, 5, 15}) {
                assertThat(WIDE.screen(run, besides).lines().count() + besides)
                        .isLessThanOrEqualTo(RunTables.SCREEN_LINES);
            }
            assertThat(WIDE.screen(run, 2 * RunTables.SCREEN_LINES))
                    .as("what is printed besides leaves no room")
                    .contains("Passed.");
        }
    }

    @Test
    void shouldSayWhyThereIsNothingToShowHoweverManyReasonsThereAre() {
        final List<String> reasons =
                java.util.stream.IntStream.range(0, 30)
                        .mapToObj(i -> "reason %d, ".formatted(i) + "and so on ".repeat(15))
                        .toList();

        final String screen = WIDE.screen(Trials.run(List.of(), reasons));

        assertThat(screen)
                .contains(
                        "There are no figures in this run.", "reason 0", "more reasons in result");
        assertThat(screen.lines().count()).isLessThanOrEqualTo(RunTables.SCREEN_LINES);
    }

    @Test
    void shouldBeginWithTheAnswerWhereThereIsOneLine() {
        assertThat(
                        WIDE.screen(
                                Trials.run(Trials.openLoop().row())
                                        .with(new Answer("Good to 1.00 ms.", Map.of(), List.of()))))
                .startsWith("Good to 1.00 ms.\n\nlatency on udp://127.0.0.1:0, 64 bytes\n");
    }

    /** They were two tables of all of them, folded: more than a hundred lines. */
    @Test
    void shouldKeepManySearchesOnOneScreen() {
        final List<TrialResult> rows = new java.util.ArrayList<>();
        final List<SearchSummary> searches = new java.util.ArrayList<>();
        for (int test = 1; test <= 28; test++) {
            final String channel = "archive:?members=3&deletion=acknowledged&durability=" + test;
            rows.add(Trials.stream().test("test-" + test).channel(channel).row());
            searches.add(
                    search(
                            "test-" + test,
                            channel,
                            test == 28 ? Verdict.FAIL : Verdict.PASS,
                            740_000));
        }
        final RunResult run = searched(Trials.run(rows, List.of()), searches);

        for (final int width : List.of(60, 80, 100, 140)) {
            final String screen = new RunTables(width, false).screen(run);
            assertThat(screen.lines().count()).isLessThanOrEqualTo(RunTables.SCREEN_LINES);
            assertThat(screen.lines()).allMatch(line -> line.length() <= width);
            assertThat(screen)
                    .startsWith("Highest rate that holds\n")
                    .containsPattern("\ntest-1 on .*50,000 +60,000")
                    .as("what did not pass is shown before others")
                    .containsPattern("\ntest-28 on .*fail\n")
                    .doesNotContain("\ntest-27 on")
                    .containsPattern("\n[0-9]+ more lines? in summary.txt\n");
            assertThat(screen.replaceAll("\\s+", " "))
                    .contains(
                            " Also in summary.txt: the latencies of the tests, the trials of each search, figures of"
                                    + " another source beside these. ")
                    .doesNotContain("Trials of test-1", "Beside figures of another source");
        }
        assertThat(new RunTables(140, false).screen(run))
                .contains("90 % from/s", "soaked/s", "99 %");
        assertThat(new RunTables(140, false).render(run))
                .contains("Trials of test-27", "Beside figures of another source");
    }

    @Test
    void shouldShowBesideASearchTheLatenciesOfItsTest() {
        final SearchSummary search = search("stream", "udp://127.0.0.1:0", Verdict.PASS, 0);
        final String screen =
                WIDE.screen(
                        searched(
                                Trials.run(Trials.stream().labels("noisy").row()),
                                List.of(search)));

        assertThat(screen)
                .containsPattern("\nstream on udp.* 50,000 +60,000 .*noisy\n")
                .containsPattern("\nstream +100 k/s +12.0 us .*[-|=.]+ +noisy\n")
                .contains("Also in summary.txt: the trials of each search.");
    }

    private static SearchSummary search(
            final String test,
            final String channel,
            final Verdict verdict,
            final double reference) {
        return new SearchSummary(
                test,
                channel,
                50_000,
                60_000,
                0.9,
                49_000,
                61_000,
                48_000,
                1_000_000_000,
                0,
                0.01,
                1_000_000_000,
                3_000_000_000L,
                0.5,
                2_000_000_000,
                List.of(),
                reference,
                "what it is",
                "near",
                1,
                verdict,
                List.of());
    }

    private static RunResult searched(final RunResult run, final List<SearchSummary> searches) {
        return new RunResult(
                run.schema(),
                run.tickmark(),
                run.startedAt(),
                run.plan(),
                run.verdict(),
                run.reasons(),
                run.trials(),
                run.aggregates(),
                searches,
                run.noise(),
                run.environment(),
                run.answer());
    }

    /** Then the line of the overview is all that fits. */
    @Test
    void shouldFallBackToTheOverviewOfASingleTest() {
        final List<TrialResult> rows = new java.util.ArrayList<>();
        for (int step = 0; step < 30; step++) {
            rows.add(Trials.openLoop().size(step, 16 + step).row());
        }
        final String screen = WIDE.screen(Trials.run(rows, List.of()));

        assertThat(screen.lines().count()).isLessThanOrEqualTo(RunTables.SCREEN_LINES);
        assertThat(screen).startsWith("latency on udp://127.0.0.1:0\nstep ").contains("Passed.");
    }

    /** What a store kept is what its test was for; the table of 30 sizes left no room for it. */
    @Test
    void shouldShowBesideTheOverviewWhatElseFits() {
        final List<TrialResult> rows = new java.util.ArrayList<>();
        for (int step = 0; step < 12; step++) {
            rows.add(Trials.openLoop().size(step, 16 + step).count("acknowledged", 77_000).row());
        }
        final String screen = WIDE.screen(Trials.run(rows, List.of()));

        assertThat(screen.lines().count()).isLessThanOrEqualTo(RunTables.SCREEN_LINES);
        assertThat(screen)
                .startsWith("latency on udp://127.0.0.1:0\nstep ")
                .contains("What the stores promise")
                .doesNotContain("Response time (from");
    }

    @Test
    void shouldKeepTheFirstAndTheLastStepWhereThereAreMany() {
        final List<TrialResult> rows = new java.util.ArrayList<>();
        for (final String channel : List.of("shm:", "aeron:ipc")) {
            for (int step = 0; step < 30; step++) {
                rows.add(Trials.closedLoop().channel(channel).size(step, 16 + step).row());
            }
        }
        assertThat(new RunTables(100, false).screen(Trials.run(rows, List.of())))
                .contains(
                        "shm:, 16 bytes", "shm:, 45 bytes", "aeron:ipc, 45 bytes", "56 more steps")
                .doesNotContain("17 bytes");
    }

    /**
     * As the default run is: sweeps, and more to say below the table than fits beside all steps.
     */
    @Test
    void shouldNameEachTestWhereTheStepsOfSweepsDoNotFit() {
        final List<TrialResult> rows = new java.util.ArrayList<>();
        for (int test = 1; test <= 20; test++) {
            for (int step = 0; step < (test <= 8 ? 9 : 1); step++) {
                final boolean isSlow = test == 3 && step == 8;
                rows.add(
                        Trials.openLoop()
                                .test("t-" + test)
                                .size(step, 16 << step)
                                .labels("noisy", "disturbed")
                                .verdict(
                                        isSlow ? Verdict.FAIL : Verdict.PASS,
                                        "Its rate was held to 80 %, which is less than the plan asks for.")
                                .row());
            }
        }
        final RunResult run = Trials.run(rows, List.of());

        for (final int width : List.of(80, 140)) {
            final String screen = new RunTables(width, false).screen(run);
            assertThat(screen.lines().count()).isLessThanOrEqualTo(RunTables.SCREEN_LINES);
            for (int test = 1; test <= 20; test++) {
                assertThat(screen).containsPattern("\nt-" + test + "\\b");
            }
            assertThat(screen)
                    .as("of the sweep that failed its step that did")
                    .containsPattern("\nt-3\\b.*4,?096 bytes")
                    .contains("of each test and channel one step; ");
        }
    }

    /** Nine lines told of the slowest messages, and nine of twenty tests had no line. */
    @Test
    void shouldNameEachTestWhateverThereIsToSayOfTheSlowestMessages() {
        final List<TrialResult> rows = new java.util.ArrayList<>();
        for (int test = 1; test <= 20; test++) {
            final TrialResult row =
                    Trials.openLoop().test("t-" + test).labels("noisy", "disturbed").row();
            rows.add(row.withTail(longTail(), List.of("disturbed")));
        }
        final String slowest = "Of the time that the slowest 1 %";

        final String few =
                WIDE.screen(Trials.run(rows.subList(0, 2), List.of())).replaceAll("\\s+", " ");
        assertThat(few).contains(slowest, "their cores mostly ran compiler-thread");

        final RunResult run = Trials.run(rows, List.of());
        final String screen = WIDE.screen(run);
        assertThat(screen.lines().count()).isLessThanOrEqualTo(RunTables.SCREEN_LINES);
        for (int test = 1; test <= 20; test++) {
            assertThat(screen).containsPattern("\nt-" + test + "\\b");
        }
        assertThat(WIDE.render(run)).as("summary.txt").contains(slowest);
    }

    /** That everybody has a part in. */
    private static TailSummary longTail() {
        final List<TailSummary.Charge> charges =
                List.of(
                        new TailSummary.Charge(
                                TailSummary.MACHINE,
                                "another task ran on the core",
                                TailSummary.DATED,
                                true,
                                400_000),
                        new TailSummary.Charge(
                                TailSummary.SYSTEM,
                                "a role's JVM compiled code; a longer warm-up helps",
                                TailSummary.DATED,
                                true,
                                300_000),
                        new TailSummary.Charge(
                                TailSummary.BENCH,
                                "the bench's own reporter or controller ran",
                                TailSummary.DATED,
                                true,
                                100_000),
                        new TailSummary.Charge(
                                TailSummary.UNKNOWN, "", TailSummary.DATED, true, 100_000));
        return new TailSummary(
                100_000,
                100_000,
                9_120,
                List.of(new TailSummary.Band(99, 99.9, 900, 1_000_000, charges, 100_000)),
                List.of(),
                List.of(),
                List.of(),
                List.of(
                        new TailSummary.Ran("compiler-thread-of-a-role", 500_000),
                        new TailSummary.Ran("reporter-of-a-controller", 400_000),
                        new TailSummary.Ran("another-task-altogether", 300_000)),
                new TailSummary.Undisturbed(0.02, "", Trials.latency(9_100)),
                List.of(),
                "",
                "");
    }

    @Test
    void shouldPrintTheTablesOfASingleTestBelowItsLine() {
        final RunResult run = Trials.run(Trials.openLoop().row());

        assertThat(WIDE.screen(run))
                .startsWith("latency on udp://127.0.0.1:0, 64 bytes\n")
                .containsPattern("\nlatency +10,000/s .* 0 +-+[|]=+[.]+\n")
                .containsOnlyOnce("99.9 %")
                .endsWith(WIDE.render(run));
    }

    /** The reasons alone were twenty lines, and each test had one. */
    @Test
    void shouldFitOneScreenHoweverManyTestsFail() {
        final List<TrialResult> rows = new java.util.ArrayList<>();
        for (int test = 1; test <= 40; test++) {
            rows.add(
                    Trials.openLoop()
                            .test("test-" + test)
                            .labels("noisy", "disturbed")
                            .verdict(
                                    test % 2 == 0 ? Verdict.FAIL : Verdict.PASS,
                                    "Lost %d of 10,000 messages expected by %s, which is more than the plan allows."
                                            .formatted(test, Character.toString('A' + test)))
                            .row());
        }
        final RunResult run = Trials.run(rows, List.of());

        for (final int width : List.of(80, 100, 140)) {
            final String screen = new RunTables(width, false).screen(run);
            assertThat(screen.lines().count()).isLessThanOrEqualTo(RunTables.SCREEN_LINES);
            assertThat(screen.lines()).allMatch(line -> line.length() <= width);
            assertThat(screen)
                    .contains(
                            "\ntest-2 ",
                            "more lines in summary.txt",
                            "more reasons in result.json.")
                    .as("what passed is left out first, from the end")
                    .doesNotContain("\ntest-39 ");
        }
    }

    @Test
    void shouldShowResponseAndServiceTimeForAnOpenLoop() {
        assertThat(WIDE.tables(Trials.run(Trials.openLoop().row())))
                .contains("Response time (open loop); offered 10,000/s, achieved 10,000/s;")
                .containsPattern("noise\\s+floor\\s+not\\s+measured")
                .containsSubsequence(
                        "Response time (from the intended send)",
                        "   64      2.40   13.20",
                        "Service time (from the actual send)",
                        "   64      2.20   12.10");
    }

    @Test
    void shouldSetProgrammedBesideMeasured() {
        final Map<String, Object> metrics = new LinkedHashMap<>();
        metrics.put("stall.p50.programmedNs", 50_000);
        metrics.put("stall.p50.measuredNs", 50_250);
        metrics.put("lost.lost.programmed", 100);
        metrics.put("lost.lost.measured", 100);
        metrics.put("alone.programmed", 1);
        final TrialResult row =
                Trials.openLoop()
                        .roles(new TrialResult.RoleSummary("calibrate", 1, metrics, List.of()))
                        .row();

        assertThat(WIDE.tables(Trials.run(row)))
                .contains(
                        """
                        figure        programmed  measured     off
                        ------------  ----------  --------  ------
                        stall.p50 us       50.00     50.25  +0.50%
                        lost.lost            100       100       0
                        """)
                .doesNotContain("Service time");
    }

    @Test
    void shouldTellRowsApartByRateWhereOnlyTheRateDiffers() {
        final RunResult run =
                Trials.run(
                        Trials.openLoop().row(),
                        Trials.openLoop().size(1, 64).rate(20_000, 20_000).row());

        assertThat(WIDE.tables(run)).contains("bytes  offered/s").contains("   64     20,000");
    }

    @Test
    void shouldEndAStreamWithTheLineOfFigures() {
        final TrialResult row =
                Trials.stream()
                        .sent(50_000_000)
                        .rate(0, 1_493_827.5)
                        .tightSends(49_648_605)
                        .labels("as-fast-as-possible")
                        .row();

        assertThat(new RunTables(300, false).tables(Trials.run(row)))
                .contains(
                        "actual_sends=50000000, duration_ns="
                                + row.durationNs()
                                + ", result_rate=1493827.500000, global_max_tight_sends=49648605,"
                                + " max_flight_size=n/a")
                .contains("channel            bytes  offered/s  achieved/s")
                .containsPattern("udp://127.0.0.1:0 +64 +max +1,493,828 +50,000,000 +0 +0 +0")
                .contains("One-way stream; as fast as possible;");
    }

    @Test
    void shouldShowTheOneWayLatencyThatWasDerived() {
        final TrialResult row = Trials.closedLoop().row();
        final RunResult run = Trials.run(row);
        final RunResult derived =
                new RunResult(
                        run.schema(),
                        run.tickmark(),
                        run.startedAt(),
                        run.plan(),
                        run.verdict(),
                        run.reasons(),
                        run.trials(),
                        List.of(
                                new Aggregate(
                                        row.test(),
                                        row.channel(),
                                        0,
                                        64,
                                        1,
                                        Map.of(
                                                "oneWayToLastNs.mean",
                                                new Aggregate.Spread(6_500, 6_500, 6_500),
                                                "oneWayToLastNs.p50",
                                                new Aggregate.Spread(5_250, 5_250, 5_250)))),
                        run.searches(),
                        run.noise(),
                        run.environment(),
                        null);

        assertThat(new RunTables(300, false).tables(derived))
                .contains("One way to the last subscriber, derived: round trip less half of")
                .containsPattern("bytes +ave us +50% us")
                .containsPattern("64 +6.500 +5.250");
        assertThat(new RunTables(300, false).tables(run)).doesNotContain("One way");
    }

    @Test
    void shouldSayThatAStreamWasPacedBySleeping() {
        final TrialResult row = Trials.stream().rate(0, 980).labels("paced-by-sleeping").row();

        assertThat(new RunTables(300, false).tables(Trials.run(row)))
                .containsPattern("udp://127.0.0.1:0 +64 +sleep +980 ")
                .contains("One-way stream; paced by sleeping;")
                .doesNotContain("as fast as possible");
    }

    @Test
    void shouldKeepTheLineOfFiguresInOnePiece() {
        assertThat(new RunTables(40, false).tables(Trials.run(Trials.stream().row())))
                .containsPattern("\nactual_sends=1000, [^\n]+, max_flight_size=n/a\n");
    }

    @Test
    void shouldShowMediansOfRepeatsButTheExtremesOfAll() {
        final RunResult run =
                Trials.run(
                        Trials.closedLoop().repeat(1).roundTrip(Trials.latency(9_000)).row(),
                        Trials.closedLoop().repeat(2).roundTrip(Trials.latency(50_000)).row(),
                        Trials.closedLoop().repeat(3).roundTrip(Trials.latency(10_000)).row());

        assertThat(WIDE.tables(run))
                .contains("medians of 3 repeats, min and max of all")
                .containsPattern("\n +64 +2.00 +11.00 +8.10 +10.00 +12.00 +15.00 +40.00 +500.00\n");
    }

    @Test
    void shouldLeaveVoidRepeatsOutAndSaySo() {
        final RunResult run =
                Trials.run(
                        Trials.closedLoop().row(),
                        Trials.closedLoop()
                                .repeat(2)
                                .roundTrip(Trials.latency(900_000))
                                .verdict(Verdict.VOID, "role latency-sub 1 was lost")
                                .row());

        assertThat(WIDE.render(run))
                .contains("10.03    8.21    9.12")
                .contains("- latency on udp://127.0.0.1:0: 1 void repeat left out of the figures.")
                .contains("Void. 1 of 2 trials is not a valid measurement.")
                .contains("- latency on udp://127.0.0.1:0: role latency-sub 1 was lost.");
    }

    @Test
    void shouldKeepWithinTheWidthDownToFortyColumns() {
        final RunResult run =
                Trials.run(
                        Trials.closedLoop().noise(312_000).lost(3).row(),
                        Trials.openLoop().test("open").labels("saturated").row(),
                        Trials.stream()
                                .channel("udp://127.0.0.1:0?batch=20&receiveBuffer=8388608&x=1")
                                .verdict(Verdict.FAIL, "12 of 1000 messages were lost, none may be")
                                .row());

        for (final int width : List.of(40, 60, 80, 132)) {
            assertThat(new RunTables(width, false).render(run).lines())
                    .filteredOn(line -> !line.startsWith("actual_sends="))
                    .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(width));
        }
    }

    @Test
    void shouldSayEachReasonOnce() {
        final String reason = "latency on udp://127.0.0.1:0: 3 messages were lost";
        final RunResult run =
                Trials.run(
                        List.of(
                                Trials.closedLoop()
                                        .lost(3)
                                        .verdict(Verdict.FAIL, "3 messages were lost")
                                        .row(),
                                Trials.closedLoop()
                                        .repeat(2)
                                        .lost(3)
                                        .verdict(Verdict.FAIL, "3 messages were lost")
                                        .row()),
                        List.of(reason, reason));

        final String text = new RunTables(200, false).conclusion(run);

        assertThat(text).containsOnlyOnce("3 messages were lost");
        assertThat(text).contains("Failed. 2 of 2 trials did not meet their criteria.");
    }

    /** Its table had headings, and nothing below them. */
    @Test
    void shouldShowWhatWasMeasuredWhereNothingIsValid() {
        final RunResult run = allVoid();

        assertThat(new RunTables(120, false).screen(run))
                .containsPattern("shm: +10,000/s +12.0 us .* void: not valid")
                .doesNotContain("-|==");
        assertThat(new RunTables(120, true).screen(run))
                .containsPattern("\u001b\\[2m *shm: +10,000/s");
    }

    /** Its percentiles hid how many pings were not in them. */
    @Test
    void shouldCountWhatIsNotInTheFiguresOfAVoidRow() {
        final String screen =
                new RunTables(120, false)
                        .screen(
                                Trials.run(
                                        Trials.openLoop()
                                                .channel("shm:")
                                                .lost(7)
                                                .count("timedOut", 93)
                                                .verdict(Verdict.VOID, "why")
                                                .row(),
                                        Trials.openLoop().row()));

        assertThat(screen)
                .containsPattern("99.9 % +longest +lost +no echo ")
                .containsPattern("shm: +[0-9,]+/s +12.0 us .* 7 +93 +void: not valid");
    }

    private static RunResult allVoid() {
        final List<TrialResult> rows = new java.util.ArrayList<>();
        final List<String> reasons = new java.util.ArrayList<>();
        for (final String channel : List.of("shm:", "aeron:ipc")) {
            for (int repeat = 1; repeat <= 4; repeat++) {
                final String reason =
                        ("Other tasks or the hypervisor used the core of latency-%s 1, pinger, for %d.8 %% of the time (mostly:"
                                        + " another task ran on the core); at most 20.0 %% is accepted in a measurement.")
                                .formatted(repeat % 2 == 0 ? "pub" : "sub", 50 + 10 * repeat);
                rows.add(
                        Trials.openLoop()
                                .channel(channel)
                                .repeat(repeat)
                                .verdict(Verdict.VOID, reason)
                                .row());
                reasons.add("latency on %s, repeat %d: %s".formatted(channel, repeat, reason));
            }
        }
        return Trials.run(rows, reasons);
    }

    /** Each of the two is broken in each of three rows. */
    @Test
    void shouldKeepPercentilesApartThatDifferInTheirNinesOnly() {
        final List<TrialResult> rows = new java.util.ArrayList<>();
        final List<String> reasons = new java.util.ArrayList<>();
        for (int repeat = 1; repeat <= 3; repeat++) {
            final String slow =
                    "The 99th percentile of the latency is 2,00%d us; at most 1 us is allowed."
                            .formatted(repeat);
            final String slower =
                    "The 99.9th percentile of the latency is 3,00%d us; at most 1 us is allowed."
                            .formatted(repeat);
            rows.add(Trials.openLoop().repeat(repeat).verdict(Verdict.FAIL, slow, slower).row());
            for (final String reason : List.of(slow, slower)) {
                reasons.add("latency, repeat %d: %s".formatted(repeat, reason));
            }
        }
        assertThat(VerdictWords.of(Trials.run(rows, reasons)).reasons())
                .hasSize(2)
                .allMatch(reason -> reason.startsWith("In 3 of 3 rows"))
                .anyMatch(reason -> reason.contains("The 99th percentile"))
                .anyMatch(reason -> reason.contains("The 99.9th percentile"));
    }

    /** The same sentence came twice, with 71.2 % and 71.5 %, and did not say of which size. */
    @Test
    void shouldNameTheStepWhoseCoreWasTakenMost() {
        final List<TrialResult> rows = new java.util.ArrayList<>();
        final List<String> reasons = new java.util.ArrayList<>();
        for (int step = 0; step < 2; step++) {
            final String reason =
                    "Other tasks or the hypervisor used the core of latency-pub 1, publisher, for 71.%d %% of the time."
                            .formatted(2 + 3 * step);
            final int bytes = step == 0 ? 64 : 1_024;
            rows.add(Trials.openLoop().size(step, bytes).verdict(Verdict.VOID, reason).row());
            reasons.add(
                    "latency on udp://127.0.0.1:0, %d B, repeat 1: %s".formatted(bytes, reason));
        }

        assertThat(VerdictWords.of(Trials.run(rows, reasons)).reasons())
                .containsExactly(
                        "In 2 of 2 rows, the worst of them latency on udp://127.0.0.1:0, 1,024 bytes: Other tasks or the"
                                + " hypervisor used the core of latency-pub 1, publisher, for 71.5 % of the time.");
    }

    /** Eight of four lines each, nearly the same. */
    @Test
    void shouldSayOnceWhatIsTheReasonOfManyRows() {
        assertThat(VerdictWords.of(allVoid()).reasons())
                .containsExactly(
                        "In 8 of 8 rows, the worst of them latency on shm: Other tasks or the hypervisor used the core of"
                                + " latency-pub 1, pinger, for 90.8 % of the time (mostly: another task ran on the core);"
                                + " at most 20.0 % is accepted in a measurement.");
        final List<TrialResult> rows = new java.util.ArrayList<>();
        for (int lost = 1; lost <= 3; lost++) {
            rows.add(
                    Trials.openLoop()
                            .repeat(lost)
                            .verdict(Verdict.FAIL, lost + " messages were lost", "it is slow")
                            .row());
        }
        assertThat(VerdictWords.of(Trials.run(rows, List.of("why"))).reasons())
                .containsExactly(
                        "why.",
                        "In 3 of 3 rows, the first of them latency on udp://127.0.0.1:0: 1 messages were lost.",
                        "latency on udp://127.0.0.1:0: it is slow.");
    }

    @Test
    void shouldColourOnlyWhenAsked() {
        final RunResult run = Trials.run(Trials.closedLoop().row());

        assertThat(new RunTables(80, false).render(run)).doesNotContain("\u001b");
        assertThat(new RunTables(80, true).render(run)).contains("\u001b[1;32mPassed.\u001b[0m");
    }

    @Test
    void shouldNotLetNamesSteerTheTerminal() {
        final RunResult run =
                Trials.run(
                        Trials.closedLoop()
                                .test("a\u001b[2Jb")
                                .channel("udp://\u202egnp.exe\r\nPassed.")
                                .row());

        assertThat(WIDE.render(run))
                .contains("a?[2Jb on udp://?gnp.exe Passed.")
                .doesNotContain("\u001b", "\u202e", "\r");
    }

    @Test
    void shouldSayThatNothingWasMeasured() {
        final RunResult empty =
                Trials.run(List.of(), List.of("interrupted before the first trial"));

        assertThat(WIDE.render(empty))
                .startsWith("There are no figures in this run.\n")
                .contains("No trial left a result.")
                .contains("- interrupted before the first trial.");
    }

    @Test
    void shouldSayWhatAnInterruptedSearchHadFound() {
        assertThat(WIDE.render(searched(Verdict.VOID, 171, 233)).replace('\n', ' '))
                .contains("The search was ended after 2 trials, before its answer was confirmed;")
                .contains("the best bounds so far are kept.")
                .doesNotContain("No trial left a result");
        assertThat(WIDE.render(searched(Verdict.VOID, 0, 0)).replace('\n', ' '))
                .contains("before its answer was confirmed and before it had bounds.");
        assertThat(WIDE.render(searched(Verdict.FAIL, 0, 100)).replace('\n', ' '))
                .contains("The search found no rate to confirm, in 2 trials.");
    }

    @Test
    void shouldSayThatTheMachineDisturbedTheTrialsThatRefuteABound() {
        final String words =
                "The machine disturbed 2 of the 2 trials of t on udp: that did not hold at ";

        assertThat(Cautions.of(searched(Verdict.PASS, 171, 233), Figures.ASCII))
                .singleElement()
                .asString()
                .startsWith(words);
        assertThat(Cautions.of(searched(Verdict.PASS, 150, 171), Figures.ASCII))
                .as("they were at a higher rate than the bound")
                .isEmpty();
    }

    @Test
    void shouldSayThatAnotherTaskPerhapsHadACoreInTheTrialsThatRefuteABound() {
        assertThat(
                        Cautions.of(
                                searched(Verdict.PASS, 171, 233, refuted(false, true, false)),
                                Figures.ASCII))
                .singleElement()
                .asString()
                .startsWith(
                        "Another task perhaps had a core of the test in 2 of the 2 trials of t on udp: that did not hold at ");
    }

    /** That nobody looked does not mean that there was nothing. */
    @Test
    void shouldSayThatNobodyLookedIntoTheTrialsThatRefuteABound() {
        final RunResult ended = searched(Verdict.VOID, 171, 233, refuted(false, false, true));

        assertThat(Cautions.of(ended, Figures.ASCII))
                .singleElement()
                .asString()
                .startsWith(
                        "It is not known whether the machine disturbed 2 of the 2 trials of t on udp: that did not hold at ")
                .endsWith(": the search ended before that was looked into.");
        assertThat(WIDE.tables(ended)).containsPattern("bad +not examined");
    }

    private static RunResult searched(
            final Verdict verdict, final double lower, final double upper) {
        return searched(verdict, lower, upper, refuted(true, false, false));
    }

    private static SearchSummary.SearchTrial refuted(
            final boolean isDisturbed, final boolean isPerhapsTaken, final boolean isNotExamined) {
        return new SearchSummary.SearchTrial(
                SearchSummary.Purpose.SEARCH,
                200,
                200,
                1_000_000_000,
                SearchSummary.Outcome.BAD,
                "too slow",
                isDisturbed,
                isPerhapsTaken,
                isNotExamined);
    }

    /** Of two such trials. */
    private static RunResult searched(
            final Verdict verdict,
            final double lower,
            final double upper,
            final SearchSummary.SearchTrial trial) {
        final RunResult none = Trials.run(List.of(), List.of());
        return new RunResult(
                none.schema(),
                none.tickmark(),
                none.startedAt(),
                none.plan(),
                verdict,
                none.reasons(),
                List.of(),
                List.of(),
                List.of(
                        new SearchSummary(
                                "t",
                                "udp:",
                                lower,
                                upper,
                                0.9,
                                0,
                                0,
                                0,
                                0,
                                0,
                                0.1,
                                1_000_000_000,
                                3_000_000_000L,
                                0.5,
                                2_000_000_000,
                                List.of(trial, trial),
                                0,
                                "",
                                "",
                                1,
                                verdict,
                                List.of())),
                null,
                none.environment(),
                none.answer());
    }

    @Test
    void shouldSayThatAnInterruptedRunIsVoidThoughItsTrialsPassed() {
        final RunResult passed = Trials.run(Trials.closedLoop().row());
        final RunResult run =
                new RunResult(
                        passed.schema(),
                        passed.tickmark(),
                        passed.startedAt(),
                        passed.plan(),
                        Verdict.VOID,
                        List.of("interrupted"),
                        passed.trials(),
                        passed.aggregates(),
                        passed.searches(),
                        passed.noise(),
                        passed.environment(),
                        null);

        assertThat(WIDE.conclusion(run))
                .endsWith(
                        """
                        Void. The run as a whole is not a valid measurement; what was measured is kept.
                        - interrupted.
                        """);
    }

    @Test
    void shouldNotFillTheScreenWithReasons() {
        final List<String> reasons =
                java.util.stream.IntStream.range(0, 30).mapToObj(i -> "reason " + i).toList();

        assertThat(WIDE.conclusion(Trials.run(List.of(Trials.closedLoop().row()), reasons)))
                .contains("- reason 19.\n- and 10 more reasons in result.json.\n");
    }

    @Test
    void shouldShowAWorkloadOfItsOwnWithWhatItNamed() {
        final TrialResult row =
                Trials.general()
                        .label(1, "steady state")
                        .roles(
                                new TrialResult.RoleSummary(
                                        "consumer", 1, Map.of("images", 100_000), List.of()),
                                new TrialResult.RoleSummary(
                                        "consumer", 2, Map.of("images", 50_000), List.of()))
                        .row();

        final String text = new RunTables(100, false).tables(Trials.run(row));

        assertThat(text.lines().map(String::strip))
                .startsWith("market")
                .contains("Post round trip")
                .anyMatch(line -> line.startsWith("steady state  "))
                .anyMatch(
                        line -> line.replaceAll(" +", " ").equals("images 75,000 50,000 100,000"));
    }

    /** A sender by hand, or a capture: neither zero nor a length of messages is known. */
    @Test
    void shouldLeaveOutWhatNobodyHasSaid() {
        final String text =
                new RunTables(100, false)
                        .tables(Trials.run(Trials.general().withoutReceiver().row()));

        assertThat(text)
                .doesNotContain("expected", "lost")
                .containsPattern("\\n {5} +[0-9.]+ +[0-9.]+ +[0-9.]+");
    }
}
