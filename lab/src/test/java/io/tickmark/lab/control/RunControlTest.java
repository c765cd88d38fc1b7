package io.tickmark.lab.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.mock.MockSettings.Trouble;
import io.tickmark.lab.plan.JvmPlan;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.RolePlan;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.result.ResultFolder;
import io.tickmark.lab.result.ResultJson;
import io.tickmark.lab.search.SearchGoal;
import io.tickmark.lab.verdict.Labels;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RunControlTest extends RunTesting {
    private static final int NICEST = 19;

    @Test
    void shouldMeasureWithTwoRolesInTwoProcessesAndServeAllRepeatsWithThem() throws IOException {
        final RunOutcome outcome =
                run(
                        plan(test(Trouble.NOTHING).repeats(2).setting("sizes", "64,256").build())
                                .withNoise(Duration.ofMillis(20)),
                        RunListener.SILENT);

        assertThat(outcome.result().reasons()).isEmpty();
        assertThat(outcome.exitCode()).isZero();
        final List<TrialResult> rows = outcome.result().trials();
        assertThat(rows).extracting(TrialResult::repeat).containsExactly(1, 1, 2, 2);
        assertThat(rows).extracting(TrialResult::payloadBytes).containsExactly(64, 256, 64, 256);
        assertThat(rows)
                .allSatisfy(row -> {
                    assertThat(row.verdict()).isEqualTo(Verdict.PASS);
                    assertThat(row.sent()).isEqualTo(100);
                    assertThat(row.expected()).isEqualTo(100);
                    assertThat(row.received()).isEqualTo(100);
                    assertThat(row.latency(Latencies.ROUND_TRIP_NS).orElseThrow().count())
                            .isEqualTo(100);
                    assertThat(row.labels()).contains(Labels.CLOSED_LOOP);
                    assertThat(row.noiseBefore()).isNotNull();
                    assertThat(metric(row, "mock-receiver-1", "heard")).isEqualTo("mock:a#bound");
                    assertThat(metric(row, "mock-sender-1", "jvm")).asString().contains("-Xmx32m");
                });
        assertThat(rows)
                .extracting(row -> metric(row, "mock-sender-1", "pid"))
                .containsOnly(metric(rows.getFirst(), "mock-sender-1", "pid"))
                .doesNotContain(metric(rows.getFirst(), "mock-receiver-1", "pid"));
        assertThat(outcome.result().aggregates()).hasSize(2);
        final Path results = outcome.folder().orElseThrow();
        assertThat(ResultJson.read(results.resolve(ResultFolder.RESULT)).trials()).hasSize(4);
        assertThat(results.resolve("roles/t-mock-a-mock-sender-1/stats.csv")).exists();
        assertThat(results.resolve("roles/t-mock-a-mock-sender-1/latency.hlog")).exists();
        assertThat(Files.readString(results.resolve("roles/t-mock-a-mock-sender-1/summary.txt")))
                .contains("repeat 2");
        for (final String file : List.of("plan.yaml", "environment.json", "noise.json")) {
            assertThat(results.resolve(file)).isNotEmptyFile();
        }
    }

    @Test
    void shouldEndThoseWhoWatchWhenTheOthersHaveEnded() {
        final RunOutcome outcome =
                run(
                        inOneProcess(Trouble.NOTHING)
                                .role(role("mock-observer", Map.of()))
                                .repeats(2)
                                .build());

        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.result().trials())
                .extracting(row -> metric(row, "mock-observer-1", "repeat"))
                .containsExactly(1, 2);
        assertThat(outcome.result().trials())
                .extracting(row -> metric(row, "mock-observer-1", "sees"))
                .as("the files of those who measured")
                .containsOnly(true);
    }

    /** Processes that it starts would inherit the mask. */
    @Test
    void shouldNotPinTheThreadOfARoleWhoseHotThreadsAreNotItsOwn() {
        final List<Integer> allowed = Affinity.allowedCores();
        final RolePlan observer =
                new RolePlan(
                        "mock-observer",
                        1,
                        Map.of(),
                        allowed.subList(0, 1),
                        null,
                        SMALL,
                        null,
                        null,
                        null);

        final TrialResult row = only(run(inOneProcess(Trouble.NOTHING).role(observer).build()));

        assertThat(metric(row, "mock-observer-1", "cores")).isEqualTo(allowed.toString());
        assertThat(row.hotThreads()).as("it is hot all the same").isEqualTo(3);
    }

    /**
     * A store that elects a leader: roles that wait for it wait longer than the time-out of a run.
     */
    @Test
    void shouldWaitForCounterpartsAsLongAsTheSlowestMayTake() {
        final TrialResult row =
                only(
                        run(
                                inOneProcess(Trouble.NOTHING)
                                        .role(sharing("mock-receiver", Map.of("patience", "50s")))
                                        .build()));

        assertThat(metric(row, "mock-sender-1", "connectTimeoutNs")).isEqualTo(60_000_000_000L);
        assertThat(metric(row, "mock-receiver-1", "connectTimeoutNs")).isEqualTo(60_000_000_000L);
    }

    @Test
    void shouldCountALossAgainstTheCriteria() {
        final RunOutcome outcome = run(inOneProcess(Trouble.LOSES).build());

        final TrialResult row = only(outcome);
        assertThat(row.lost()).isEqualTo(1);
        assertThat(row.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(outcome.result().reasons())
                .containsExactly(
                        "t on mock:a, 64 B, repeat 1: Lost 1 of 100 messages expected (1.000 %); at most 0.000 % may be lost.");
        assertThat(outcome.exitCode()).isEqualTo(1);
    }

    /** How nice this process is, to which its children add. */
    private static int niceness() throws IOException {
        final String stat = Files.readString(Path.of("/proc/self/stat"));
        return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[16]);
    }

    @Test
    void shouldRunWithWrapperEnvironmentOptionsAndCoresAndRecordThemWithoutSecrets()
            throws IOException {
        final RolePlan wrapped =
                new RolePlan(
                        "mock-sender",
                        1,
                        Map.of(),
                        List.of(0),
                        "p1",
                        new JvmPlan(
                                "40m",
                                JvmPlan.Collector.SERIAL,
                                List.of("-Dmock=blue", "-Dmock.password=sesame")),
                        new TreeMap<>(Map.of("MOCK", "red green", "MOCK_TOKEN", "sesame")),
                        List.of("env", "SECRET=sesame", "nice", "-n", "3"),
                        null);
        final RolePlan shared =
                new RolePlan(
                        "mock-receiver",
                        2,
                        Map.of(),
                        null,
                        "p1",
                        wrapped.jvm(),
                        wrapped.environment(),
                        wrapped.wrapper(),
                        null);
        final RunOutcome outcome =
                run(TestPlan.builder("t", "mock").role(wrapped).role(shared).build());

        final TrialResult row = only(outcome);
        assertThat(row.reasons()).isEmpty();
        assertThat(row.subscribers()).isEqualTo(2);
        assertThat(row.expected()).isEqualTo(200);
        assertThat(metric(row, "mock-sender-1", "mockVariable")).isEqualTo("red green");
        assertThat(metric(row, "mock-sender-1", "mockProperty")).isEqualTo("blue");
        assertThat(metric(row, "mock-sender-1", "niceness"))
                .isEqualTo(String.valueOf(Math.min(NICEST, niceness() + 3)));
        assertThat(metric(row, "mock-sender-1", "wrapper")).isEqualTo("env SECRET=*** nice -n 3");
        assertThat(metric(row, "mock-sender-1", "environment"))
                .isEqualTo("MOCK=red green MOCK_TOKEN=***");
        assertThat(metric(row, "mock-sender-1", "jvm"))
                .asString()
                .endsWith("-Dmock=blue -Dmock.password=***");
        assertThat(metric(row, "mock-sender-1", "threads")).asString().contains("on core 0");
        assertThat(metric(row, "mock-receiver-2", "pid"))
                .isEqualTo(metric(row, "mock-sender-1", "pid"));
        assertThat(everyFileOf(outcome)).contains("MOCK_TOKEN").doesNotContain("sesame");
    }

    private static String everyFileOf(final RunOutcome outcome) throws IOException {
        final StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(outcome.folder().orElseThrow())) {
            for (final Path file : files.filter(Files::isRegularFile).toList()) {
                all.append(Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        return all.toString();
    }

    @Test
    void shouldSayHowThreadsWaitAndWhyWhereTheHostDecidedIt() throws IOException {
        final int cores = Affinity.allowedCores().size();
        final RolePlan sender = sharing("mock-sender", Map.of());
        final RolePlan manyReceivers = sharing("mock-receiver", Map.of()).times(cores);

        final TrialResult crowded =
                only(run(TestPlan.builder("t", "mock").role(sender).role(manyReceivers).build()));

        assertThat(crowded.hotThreads()).isEqualTo(cores + 1);
        assertThat(crowded.idle()).isEqualTo("adaptive");
        assertThat(metric(crowded, "mock-sender-1", "idleReason"))
                .isEqualTo("more hot threads than cores");
    }

    @Test
    void shouldSayThatTheEngineKeepsCoresBusyWhereThatDecidedIt() throws IOException {
        final int cores = Affinity.allowedCores().size();
        assumeThat(cores).as("cores for both hot threads").isGreaterThan(1);
        final RolePlan sender = sharing("mock-sender", Map.of("engineThreads", cores));
        final RolePlan receiver = sharing("mock-receiver", Map.of());

        final TrialResult crowded =
                only(run(TestPlan.builder("t", "mock").role(sender).role(receiver).build()));

        assertThat(crowded.hotThreads()).isEqualTo(2);
        assertThat(crowded.idle()).isEqualTo("adaptive");
        assertThat(metric(crowded, "mock-receiver-1", "idleReason"))
                .isEqualTo(
                        "2 hot threads and %d of the engine on %d cores".formatted(cores, cores));
    }

    @Test
    void shouldGoOnWithoutAFolderWhereNoneCanBeMade() throws IOException {
        final Path file = Files.writeString(folder.resolve("file"), "in the way");
        final RunOutcome outcome =
                new RunControl(
                                plan(inOneProcess(Trouble.NOTHING).build()),
                                options(file),
                                RunListener.SILENT)
                        .run();

        assertThat(only(outcome).verdict()).isEqualTo(Verdict.PASS);
        assertThat(outcome.folder()).isEmpty();
        assertThat(outcome.problems()).hasSize(1);
        assertThat(outcome.problems().getFirst()).contains(file.toString()).contains("--out");
        assertThat(outcome.exitCode()).isEqualTo(3);
    }

    /** Without a first repeat a channel would be missing. */
    @Test
    void shouldLeaveOutRepeatsForWhichThereIsNoTime() {
        final Plan plan = plan(inOneProcess(Trouble.NOTHING).channel("mock:b").repeats(3).build());

        final RunOutcome outcome =
                new RunControl(plan, options(folder), RunListener.SILENT).runWithin(Duration.ZERO);

        assertThat(outcome.result().trials())
                .extracting(TrialResult::channel, TrialResult::repeat)
                .containsExactly(tuple("mock:a", 1), tuple("mock:b", 1));
        assertThat(outcome.result().verdict()).isEqualTo(Verdict.PASS);
    }

    /** A clock by which a trial on a channel takes so many seconds. */
    private static final class PlayedClock implements RunListener {
        private final AtomicLong nowNs = new AtomicLong();
        private final Map<String, Integer> secondsByChannel;

        PlayedClock(final Map<String, Integer> secondsByChannel) {
            this.secondsByChannel = secondsByChannel;
        }

        @Override
        public void trialStarted(final TrialKey trial) {
            nowNs.addAndGet(TimeUnit.SECONDS.toNanos(secondsByChannel.get(trial.channel())));
        }

        Duration time() {
            return Duration.ofNanos(nowNs.get());
        }
    }

    @Test
    void shouldEndInTimeThoughOneChannelIsSlow() {
        final PlayedClock clock = new PlayedClock(Map.of("mock:a", 14, "mock:b", 4));
        final Plan plan = plan(inOneProcess(Trouble.NOTHING).channel("mock:b").repeats(3).build());

        final RunOutcome outcome =
                new RunControl(plan, options(folder), clock, clock.nowNs::get)
                        .runWithin(Duration.ofSeconds(26));

        assertThat(outcome.result().trials())
                .extracting(TrialResult::channel, TrialResult::repeat)
                .as("of 13 s for each channel")
                .containsExactly(
                        tuple("mock:a", 1),
                        tuple("mock:b", 1),
                        tuple("mock:b", 2),
                        tuple("mock:b", 3));
        assertThat(clock.time()).isEqualTo(Duration.ofSeconds(26));
    }

    @Test
    void shouldChooseNoTestThatWouldNotEndInTime() {
        final PlayedClock clock = new PlayedClock(Map.of("mock:a", 10));
        final List<String> chosen = List.of("low", "high", "middle");

        final RunOutcome outcome =
                new RunControl(
                                plan(named("low")).with(named("middle")).with(named("high")),
                                options(folder),
                                clock,
                                clock.nowNs::get)
                        .runChosen(
                                rows -> chosen.stream().skip(rows.size()).findFirst(),
                                10,
                                Duration.ofSeconds(20));

        assertThat(outcome.result().trials())
                .extracting(TrialResult::test)
                .containsExactly("low", "high");
        assertThat(clock.time()).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void shouldRunTheTestsThatAreChosenByWhatWasMeasured() {
        final Plan plan =
                plan(named("low")).with(named("middle")).with(named("high")).with(named("never"));
        final Map<Integer, String> chosen = Map.of(0, "high", 1, "low", 2, "middle");
        final RunControl control = new RunControl(plan, options(folder), RunListener.SILENT);

        final RunOutcome outcome =
                control.runChosen(
                        rows -> Optional.ofNullable(chosen.get(rows.size())),
                        10,
                        Duration.ofMinutes(10));

        assertThat(outcome.result().trials())
                .extracting(TrialResult::test)
                .as("in the plan's order")
                .containsExactly("low", "middle", "high");
    }

    @Test
    void shouldRepeatATestThatIsChosenAgain() {
        final RunControl control =
                new RunControl(
                        plan(named("low")).with(named("high")),
                        options(folder),
                        RunListener.SILENT);
        final List<String> chosen = List.of("high", "low", "high");

        final RunOutcome outcome =
                control.runChosen(
                        rows -> chosen.stream().skip(rows.size()).findFirst(),
                        10,
                        Duration.ofMinutes(10));

        assertThat(outcome.result().trials())
                .extracting(TrialResult::test, TrialResult::repeat)
                .containsExactly(tuple("low", 1), tuple("high", 1), tuple("high", 2));
    }

    private static TestPlan named(final String name) {
        return TestPlan.builder(name, "mock")
                .channel("mock:a")
                .role(sharing("mock-sender", Map.of()))
                .role(sharing("mock-receiver", Map.of()))
                .build();
    }

    @Test
    void shouldCheckAllBeforeAnythingStarts() {
        final TestPlan wrong =
                TestPlan.builder("t", "mock")
                        .role(role("mock-sender", Map.of("sizes", "7")))
                        .build();

        assertThatThrownBy(() -> run(wrong))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--sizes");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void shouldKeepFiguresWhenTheDiskIsFull() {
        final Path out = folder.resolve("out");
        final RunListener filler =
                new RunListener() {
                    @Override
                    public void trialStarted(final TrialKey trial) {
                        full(out.resolve("." + ResultFolder.RESULT + ".part"));
                        full(out.resolve("roles/t-mock-a-mock-sender-1/stats.csv"));
                        full(out.resolve("roles/t-mock-a-mock-sender-1/role.log"));
                    }
                };
        final RunOptions options =
                RunOptions.local(folder, Optional.of(out), scheme -> List.of(), "0", Map.of());

        final RunOutcome outcome =
                new RunControl(plan(test(Trouble.NOTHING).build()), options, filler).run();

        final TrialResult row = only(outcome);
        assertThat(row.verdict()).isEqualTo(Verdict.PASS);
        assertThat(row.latency(Latencies.ROUND_TRIP_NS).orElseThrow().count()).isEqualTo(100);
        assertThat(row.roles().getFirst().warnings()).first().asString().contains("stats.csv");
        assertThat(outcome.problems())
                .singleElement()
                .asString()
                .contains("result.json cannot be written");
        assertThat(outcome.exitCode()).isEqualTo(3);
    }

    /** Ends the run in the third trial of a search, like a kill of the controller. */
    @Test
    void shouldHaveKeptTheTrialsOfASearchThatDidNotEnd() {
        final Path out = folder.resolve("out");
        final RunOptions options =
                RunOptions.local(folder, Optional.of(out), scheme -> List.of(), "0", Map.of());
        final RunListener killer =
                new RunListener() {
                    @Override
                    public void trialStarted(final TrialKey trial) {
                        if (trial.number() == 3) {
                            throw new IllegalStateException("killed");
                        }
                    }
                };
        final SearchGoal goal =
                Settings.read(
                        SearchGoal.class,
                        Map.of("rateKey", "samples", "durationKey", "lasting", "seedRate", 1_000),
                        key -> key);

        assertThatThrownBy(() ->
                        new RunControl(
                                        plan(
                                                inOneProcess(Trouble.RUN_FAILS)
                                                        .build()
                                                        .searching(goal)),
                                        options,
                                        killer)
                                .run())
                .hasMessage("killed");

        final RunResult kept = ResultJson.read(out.resolve(ResultFolder.RESULT));
        assertThat(kept.verdict()).isEqualTo(Verdict.VOID);
        assertThat(kept.reasons()).first().asString().startsWith("Partial: written after 2 of ");
        assertThat(kept.searches())
                .singleElement()
                .satisfies(search -> assertThat(search.trials()).hasSize(2));
    }

    private static void full(final Path path) {
        try {
            Files.createSymbolicLink(path, Path.of("/dev/full"));
        } catch (final IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Each reading of the wall clock is a second after the last: it steps continuously. */
    @Test
    void shouldLabelATrialInWhichTheWallClockStepped() {
        final AtomicLong readings = new AtomicLong();
        final RunOptions plain = options(folder);
        final RunOptions options =
                new RunOptions(
                        plain.results(),
                        plain.out(),
                        plain.catalog(),
                        plain.placements(),
                        plain.classPaths(),
                        plain.engines(),
                        plain.version(),
                        plain.libraries(),
                        plain.connectTimeout(),
                        () -> TimeUnit.HOURS.toNanos(readings.incrementAndGet()));

        final RunOutcome outcome =
                new RunControl(
                                plan(inOneProcess(Trouble.NOTHING).build()),
                                options,
                                RunListener.SILENT)
                        .run();

        assertThat(only(outcome).labels()).contains(Labels.CLOCK_STEPPED);
        assertThat(only(outcome).roles().getFirst().warnings())
                .singleElement()
                .asString()
                .startsWith("The wall clock stepped by +")
                .contains("one-way latencies between hosts are not to be trusted");
        assertThat(outcome.exitCode()).isZero();
    }
}
