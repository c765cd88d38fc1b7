package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Searches through the front door, on channels of which it is known what they hold. */
class SearchTest {
    private static final String SHORT =
            " --min-rate 1000 --max-rate 2000 --initial-trial 100ms --final-trial 200ms"
                    + " --duration-sum 200ms --confirmations 1 --soak 300ms --noise 0 --no-history --json"
                    + " --out there";

    @TempDir private Path folder;

    /** A loaded machine may not hold a rate, so the plan asks for next to nothing of it. */
    private void plan(final String channel) throws IOException {
        Files.writeString(
                folder.resolve("plan.yaml"),
                """
                schema: tickmark.plan/1
                name: short
                tests:
                  - name: paced
                    workload: stream
                    channels: ["%s"]
                    settings: {payloadBytes: 64, jvmWarmUp: 10ms, lingerMs: 10}
                    roles: [{role: stream-pub}, {role: stream-sub}]
                    criteria: {minRateHeldPart: 0.001, maxLostPart: 1}
                """
                        .formatted(channel));
    }

    private void shareAProcess() throws IOException {
        Files.writeString(
                folder.resolve("plan.yaml"),
                Files.readString(folder.resolve("plan.yaml"))
                        .replace("stream-pub}", "stream-pub, process: both}")
                        .replace("stream-sub}", "stream-sub, process: both}"));
    }

    @Test
    void shouldHoldTheHighestRateOfInterestAndConfirmIt() throws IOException {
        plan("shm:");

        final Launch.Outcome outcome =
                Launch.tickmark(folder, "search plan.yaml --seed-rate 1500" + SHORT).run();

        final ResultDocument result = ResultDocument.parse(outcome.out());
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        final JsonNode search = result.root().path("searches").path(0);
        assertThat(search.path("lowerBoundPerSecond").asDouble()).isEqualTo(2000);
        assertThat(search.path("upperBoundPerSecond").asDouble()).isZero();
        assertThat(search.path("strictRatePerSecond").asDouble()).isEqualTo(2000);
        assertThat(search.path("trials").valueStream())
                .extracting(trial -> trial.path("purpose").asString())
                .contains("search", "confirmation", "soak");
        assertThat(result.trials())
                .allMatch(trial -> trial.path("offeredRatePerSecond").asDouble() == 2000)
                .as("somebody looked into what delayed the messages of those that decide")
                .allMatch(trial -> trial.has("tail"))
                .hasSize(2);
        assertThat(search.path("trials").valueStream())
                .filteredOn(trial -> trial.path("notExamined").asBoolean())
                .isNotEmpty()
                .allMatch(trial -> trial.path("ratePerSecond").asDouble() < 2000);
    }

    @Test
    void shouldKeepWhatThePlanSaysOfItsSearchButForWhatIsTyped() throws IOException {
        plan("shm:");
        shareAProcess();
        Files.writeString(
                folder.resolve("plan.yaml"),
                Files.readString(folder.resolve("plan.yaml"))
                        + """
                            search: {minRate: 1000, maxRate: 2000, initialTrial: 100ms, finalTrial: 200ms,
                              durationSum: 200ms, confirmations: 0, soak: 0s, seedRate: 1500,
                              referenceRate: 4000, reference: "elsewhere"}
                        """);

        final Launch.Outcome outcome =
                Launch.here(
                        folder,
                        "search plan.yaml --max-rate 1800 --noise 0 --no-history --json --out there");

        final JsonNode search = ResultDocument.parse(outcome.out()).root().path("searches").path(0);
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(search.path("lowerBoundPerSecond").asDouble()).isEqualTo(1800);
        assertThat(search.path("trialNs").asLong()).isEqualTo(200_000_000);
        assertThat(search.path("referencePerSecond").asDouble()).isEqualTo(4000);
        assertThat(search.path("reference").asString()).isEqualTo("elsewhere");
    }

    @Test
    void shouldFindNoRateWhereMessagesAreLostAtAny() throws IOException {
        plan("null:?lossPart=0.2");
        shareAProcess();

        final Launch.Outcome outcome = Launch.here(folder, "search plan.yaml" + SHORT);

        final ResultDocument result = ResultDocument.parse(outcome.out());
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(result.root().at("/searches/0/verdict").asString()).isEqualTo("fail");
        assertThat(result.root().path("reasons").toString())
                .contains("even 1000 per second was too much");
    }

    @Test
    void shouldEndWhereThePaceIsOfAnotherSetting() throws IOException {
        plan("shm:");
        shareAProcess();
        Files.writeString(
                folder.resolve("plan.yaml"),
                Files.readString(folder.resolve("plan.yaml"))
                        .replace("lingerMs: 10", "lingerMs: 10, pace: sleep, sleep: 1ms"));

        final Launch.Outcome outcome = Launch.here(folder, "search plan.yaml" + SHORT);

        assertThat(outcome.exitCode()).as(outcome.err()).isNotZero();
        assertThat(ResultDocument.parse(outcome.out()).root().path("reasons").toString())
                .contains("with 'rate' at", "did not keep to a rate");
    }

    @Test
    void shouldSayWhatCannotBeSearched() {
        assertThat(Launch.here("search calibrate"))
                .satisfies(outcome -> {
                    assertThat(outcome.exitCode()).isEqualTo(2);
                    assertThat(outcome.err())
                            .contains("none of its tests has both a setting 'rate'");
                });
        assertThat(Launch.here("search stream-700 --min-rate 10k --max-rate 1k"))
                .satisfies(outcome -> {
                    assertThat(outcome.exitCode()).isEqualTo(2);
                    assertThat(outcome.err()).contains("--min-rate 10000 is not below");
                });
    }

    @Test
    void shouldRefuseWhatBelongsToRepeats() {
        assertThat(Launch.here("search stream-700 --repeats 3"))
                .satisfies(outcome -> {
                    assertThat(outcome.exitCode()).isEqualTo(2);
                    assertThat(outcome.err()).contains("--repeats: a search", "--confirmations");
                });
    }
}
