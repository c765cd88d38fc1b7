package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The history through the front door. */
class HistoryTest {
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

    @TempDir private Path folder;

    private Launch.Outcome tickmark(final String line) {
        return Launch.tickmark(folder, line).with("TICKMARK_HISTORY", "").run();
    }

    @Test
    void shouldEnterRunsTagFindShowAndDeleteThem() throws IOException {
        Files.writeString(folder.resolve("plan.yaml"), PLAN);

        assertThat(tickmark("history add nowhere").exitCode()).isEqualTo(2);
        assertThat(tickmark("history").err()).contains("no run was entered yet");
        assertThat(tickmark("run plan.yaml --quiet").exitCode()).isZero();
        assertThat(tickmark("run plan.yaml --quiet --no-history").exitCode()).isZero();
        assertThat(tickmark("run plan.yaml --quiet --out elsewhere").exitCode()).isZero();

        final JsonNode runs = new JsonMapper().readTree(tickmark("history --json").out());
        assertThat(runs.size()).isEqualTo(1);
        final String id = runs.path(0).path("id").asString();
        assertThat(tickmark("history add elsewhere").exitCode()).isZero();
        assertThat(tickmark("history tag " + id + " first").exitCode()).isZero();
        assertThat(tickmark("history --find first").out()).contains(id, "1 run.");
        assertThat(tickmark("history remembered").out())
                .contains("ping on null:, 64 bytes, roundTripNs.p50");
        assertThat(tickmark("history remembered --figure p99").out()).contains(id);
        assertThat(tickmark("history delete " + id).exitCode()).isZero();
        assertThat(tickmark("history tag " + id + " gone").err())
                .contains("is no run of the history");
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
        final JsonNode runs = new JsonMapper().readTree(tickmark("history --json").out());
        assertThat(runs.size()).isEqualTo(1);
        assertThat(runs.at("/0/verdict").asString()).isEqualTo("void");
        assertThat(runs.at("/0/folder").asString()).endsWith("-vs/a");
    }

    @Test
    void shouldKeepARunWhoseHistoryIsNotThere() throws IOException {
        Files.writeString(folder.resolve("plan.yaml"), PLAN);
        Files.writeString(
                folder.resolve("broken.db"), "no database at all, but some text in a file");

        final Launch.Outcome run =
                tickmark("run plan.yaml --out there --quiet --history broken.db");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.err()).contains("the run is not in the history", "broken.db cannot be used");
        assertThat(folder.resolve("there/result.json")).exists();
    }
}
