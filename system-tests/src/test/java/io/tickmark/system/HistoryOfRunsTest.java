package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.history.PostgresServer;
import io.tickmark.lab.result.PackedRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The history through the front door. */
class HistoryOfRunsTest {
    private static final String PLAN =
            """
            schema: tickmark.plan/1
            name: remembered
            noise: 0s
            tests:
              - name: ping
                workload: latency
                channels: ["null:"]
                settings: {sizes: [64], samples: 200, warmUp: 10ms}
                roles: [{role: latency-pub, process: both}, {role: latency-sub, process: both}]
                criteria: {maxLostPart: 1, maxTimedOut: 1000}
            """;

    /** A run as it may lie in a folder of results: what changes from run to run is left open. */
    private static final String RESULT =
            """
            {"schema": "tickmark.result/1", "tickmark": "0.1.0", "startedAt": "%1$s", "plan": "nightly",
             "verdict": "pass", "reasons": [], "trials": [], "searches": [],
             "aggregates": [{"test": "ping", "channel": "shm:", "step": 0, "payloadBytes": 64, "repeats": 5,
               "figures": {"roundTripNs.p50": {"median": %2$d, "min": %2$d, "max": %2$d},
                           "roundTripNs.p99": {"median": %3$d, "min": %3$d, "max": %3$d}}}],
             "environment": {"host": {"name": "%4$s"}, "cpu": {"model": "AMD EPYC 9654", "logicalCores": 8}}}
            """;

    private static final int DAYS = 20;
    private static final int CHANGED = 10;

    /** Hundredths that the medians of the days are off, over and over. */
    private static final List<Integer> OFF = List.of(0, 1, -1, 2, 0, -2, 1, 0, 2, -1);

    @TempDir private Path folder;

    /** The history that runs are entered into where nothing else is said. */
    private Launch.Outcome history(final String words) {
        return history(words, folder.resolve("results/history.db").toString());
    }

    private static Launch.Outcome history(final String words, final String place) {
        return Launch.here(("history " + words).strip() + " --history " + place);
    }

    private Launch.Outcome tickmark(final String line) {
        return Launch.tickmark(folder, line).with("TICKMARK_HISTORY", "").run();
    }

    @Test
    void shouldEnterRunsTagFindShowAndDeleteThem() throws IOException {
        Files.writeString(folder.resolve("plan.yaml"), PLAN);

        assertThat(history("add " + folder.resolve("nowhere")).exitCode()).isEqualTo(2);
        assertThat(history("").err()).contains("the history has no run yet");
        assertThat(tickmark("run plan.yaml --quiet").exitCode()).isZero();
        assertThat(tickmark("run plan.yaml --quiet --no-history").exitCode()).isZero();
        assertThat(tickmark("run plan.yaml --quiet --out elsewhere").exitCode()).isZero();

        final JsonNode runs = new JsonMapper().readTree(tickmark("history --json").out());
        assertThat(runs.size()).isEqualTo(1);
        final String id = runs.path(0).path("id").asString();
        assertThat(history("add " + folder.resolve("elsewhere")).exitCode()).isZero();
        assertThat(history("tag " + id + " first").exitCode()).isZero();
        assertThat(history("--find first").out()).contains(id, "1 run.");
        assertThat(history("remembered").out())
                .contains("ping on null:, 64 bytes, roundTripNs.p50");
        assertThat(history("remembered --figure p90").out()).contains(id);
        assertThat(history("delete " + id).exitCode()).isZero();
        assertThat(history("tag " + id + " gone").err()).contains("is not a run of the history");
    }

    /** It was recorded as another run, in the folder "/". */
    @Test
    void shouldTakeAPackedRunForTheSameAsItsFolder() throws IOException {
        final Path run = Path.of(written("lab-3", 1, 2_000));
        final Path zip = folder.resolve(run.getFileName() + ".zip");
        PackedRun.write(run, zip);

        final String place = folder.resolve("team.db").toString();
        final Launch.Outcome packed = history("add " + zip, place);
        final Launch.Outcome added = history("add " + run, place);

        assertThat(packed.out()).as(packed.err()).endsWith("  " + zip + "\n");
        assertThat(added.out().split(" ")[0]).isEqualTo(packed.out().split(" ")[0]);
        final JsonNode runs = new JsonMapper().readTree(history("--json", place).out());
        assertThat(runs.size()).isEqualTo(1);
        assertThat(runs.at("/0/folder").asString()).isEqualTo(zip.toString());
    }

    @Test
    void shouldSayHowARunComparesWithTheLastOneOfTheSamePlan() throws IOException {
        Files.writeString(folder.resolve("plan.yaml"), PLAN);

        assertThat(tickmark("run plan.yaml").out()).doesNotContain("against");
        final Launch.Outcome again = tickmark("run plan.yaml");
        assertThat(again.exitCode()).as(again.err()).isZero();
        assertThat(again.out())
                .containsPattern(
                        "\nThis run against \\d{8}-\\d{6}_remembered: \\d+ (better|worse|no difference|too noisy)")
                .containsPattern(
                        "\nCompare: ./tickmark compare (results/\\S+_remembered) (?!\\1)results/\\S+_remembered\n");

        Files.writeString(folder.resolve("plan.yaml"), PLAN.replace("200", "300"));
        assertThat(tickmark("run plan.yaml").out()).doesNotContain("against");
    }

    @Test
    void shouldEnterThePlanAsNamedOfAnInterruptedVersus() throws Exception {
        Files.writeString(folder.resolve("plan.yaml"), PLAN);

        try (Job run =
                Job.start(
                        Launch.tickmark(folder, "run plan.yaml --vs samples=300 --repeats 50")
                                .with("TICKMARK_HISTORY", ""),
                        folder)) {
            run.awaitErr("3/100 A");
            run.signal("INT", false);
            final Launch.Outcome outcome = run.await();
            assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(1);
            assertThat(outcome.err()).contains("The run was interrupted.");
            assertThat(outcome.out()).contains("B against A:");
        }
        final JsonNode runs = new JsonMapper().readTree(history("--json").out());
        assertThat(runs.size()).isEqualTo(1);
        assertThat(runs.at("/0/verdict").asString()).isEqualTo("void");
        assertThat(runs.at("/0/folder").asString()).endsWith("-vs/a");
    }

    private String written(final String host, final int day, final long p50Ns) throws IOException {
        final Path run = folder.resolve("%s/202603%02d-020000_nightly".formatted(host, day));
        Files.createDirectories(run);
        final String startedAt = "2026-03-%02dT02:00:00Z".formatted(day);
        Files.writeString(
                run.resolve("result.json"),
                RESULT.formatted(
                        startedAt, p50Ns, 3 * p50Ns + 10 * OFF.get((day + 4) % OFF.size()), host));
        return run.toString();
    }

    /** Twenty runs on each of two machines; on one of them they became slower by a fifth. */
    private String writtenRuns() throws IOException {
        final StringBuilder runs = new StringBuilder();
        for (int day = 1; day <= DAYS; day++) {
            final int off = 100 + OFF.get(day % OFF.size());
            final long levelNs = day > CHANGED ? 24 : 20;
            runs.append(' ').append(written("lab-3", day, levelNs * off));
            runs.append(' ').append(written("lab-4", day, 35L * off));
        }
        return runs.toString();
    }

    /** Also holds that the page shows what the command prints. */
    @Test
    void shouldShowWhereTheFiguresOfOneMachineChanged() throws IOException {
        final String runs = writtenRuns();
        final String place = " --history " + folder.resolve("team.db");
        final String page = Files.readString(Launch.ROOT.resolve("docs/history.md"));

        assertThat(Launch.here("history add" + runs + place).out().lines()).hasSize(40);
        assertThat(Launch.here("history add" + runs + place).exitCode()).isZero();

        final String overview = Launch.here("history nightly" + place).out();
        assertThat(overview)
                .contains("On lab-3 (AMD EPYC 9654, 8 cores):", "2026-03-11 change +20.0 %")
                .contains("On lab-4 (AMD EPYC 9654, 8 cores):");
        assertThat(overview.substring(overview.indexOf("On lab-4"))).doesNotContain(" change ");
        assertThat(page).contains(overview);
        final String points =
                Launch.here("history nightly --figure p50 --find lab-3" + place).out();
        assertThat(points.lines().filter(line -> line.contains(" change ")))
                .singleElement()
                .asString()
                .contains("2026-03-11 02:00");
        assertThat(page).contains(points);
        final JsonNode all =
                new JsonMapper().readTree(Launch.here("history nightly --json" + place).out());
        assertThat(all.size()).isEqualTo(4);
        assertThat(all.at("/0/series/machine").asString()).startsWith("lab-3");
        assertThat(all.at("/0/changesAt/0").asInt()).isEqualTo(CHANGED);
    }

    /** What is in memory when a run ends, and what its file says, are one result. */
    @Test
    void shouldEnterARunOnceWhereItIsBroughtAgainFromAnotherPlace() throws IOException {
        Files.writeString(folder.resolve("plan.yaml"), PLAN);
        assertThat(
                        Launch.here(folder, "run plan.yaml --quiet --out here --history my.db")
                                .exitCode())
                .isZero();
        Files.createDirectory(folder.resolve("copies"));
        Files.move(folder.resolve("here"), folder.resolve("copies/here"));

        final String place = folder.resolve("my.db").toString();
        assertThat(history("add " + folder.resolve("copies/here"), place).exitCode()).isZero();

        assertThat(history("", place).out()).contains("1 run.");
    }

    @Test
    void shouldKeepARunWhoseServerStopsMeanwhile() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            final String line = "stream --channel shm: --rate 100 --duration 20s --noise 0s --out ";
            final String place = server.url();
            final Path there = folder.resolve("there");
            assertThat(history("add " + folder.resolve("elsewhere"), place).exitCode())
                    .isEqualTo(2);
            try (Job run =
                    Job.start(Launch.tickmark(folder, line + "there --history " + place), folder)) {
                run.awaitReceived(there);
                server.control("stop");
                final Launch.Outcome outcome = run.await();
                outcome.passedOrWasSaturated();
                assertThat(outcome.err())
                        .contains("the run is not in the history", "127.0.0.1", "cannot be used")
                        .doesNotContain("\tat ");
            }
            assertThat(there.resolve("result.json")).exists();
            assertThat(history("", place).exitCode()).isEqualTo(3);

            server.control("start");
            assertThat(history("add " + there, place).exitCode()).isZero();
            assertThat(history("", place).out()).contains("1 run.");
        }
    }

    @Test
    void shouldKeepARunWhoseHistoryIsNotThere() throws IOException {
        Files.writeString(folder.resolve("plan.yaml"), PLAN);
        Files.writeString(
                folder.resolve("broken.db"), "no database at all, but some text in a file");

        final Launch.Outcome run =
                Launch.here(folder, "run plan.yaml --out there --quiet --history broken.db");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.err()).contains("the run is not in the history", "broken.db cannot be used");
        assertThat(folder.resolve("there/result.json")).exists();
    }
}
