package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The only member of a store is killed and not started again: the run fails, as the store is gone,
 * and finds in its files what was acknowledged. It used to call all of it missing.
 */
class KilledForGoodTest {
    /**
     * Of runs in which nothing was acknowledged before the member was killed, on a machine that
     * stood.
     */
    private static final int MOST_TRIES = 3;

    @TempDir private Path folder;

    @Test
    void shouldFindInItsFilesWhatANatsServerHadAcknowledged() throws IOException {
        assumeTrue(
                Launch.of(Path.of("/bin/sh"), "-c", "command -v nats-server").run().exitCode() == 0,
                "nats-server is not installed");
        shouldFindWhatWasAcknowledged("jetstream:");
    }

    @Test
    void shouldFindInItsFilesWhatAnArchiveHadAcknowledged() throws IOException {
        shouldFindWhatWasAcknowledged(
                "archive:?termBytes=1048576&segmentBytes=4194304&livenessTimeout=20s&markFile=remove");
    }

    private void shouldFindWhatWasAcknowledged(final String channel) throws IOException {
        Files.writeString(
                folder.resolve("plan.yaml"),
                """
                schema: tickmark.plan/1
                name: killed
                tests:
                  - name: killed
                    workload: stream
                    channels: ["%s"]
                    settings:
                      {payloadBytes: 200, rate: 1000, messages: 15000, jvmWarmUp: 10ms, storeWarmUp: 100ms, storeTimeout: 5s}
                    roles:
                      - {role: store}
                      - {role: stream-pub, process: clients}
                      - {role: stream-sub, process: clients}
                    faults: [{role: store, member: 1, at: 5s, do: kill}]
                """
                        .formatted(channel));

        final Launch.Outcome outcome = killed();

        assertThat(outcome.exitCode()).as(outcome.err() + outcome.out()).isEqualTo(1);
        final JsonNode trial = ResultDocument.parse(outcome.out()).trial();
        final JsonNode counts = trial.path("counts");
        final String told = trial.path("reasons") + " " + counts;
        assertThat(counts.path("acknowledged").asLong()).as(told).isPositive();
        assertThat(counts.path("acknowledgedNotFound").asLong(-1)).as(told).isZero();
        assertThat(counts.path("acknowledgedNotVerified").asLong(0)).as(told).isZero();
        assertThat(counts.path("stored").asLong())
                .as(told)
                .isGreaterThanOrEqualTo(counts.path("acknowledged").asLong());
        assertThat(trial.path("reasons").toString())
                .contains("the store is lost")
                .doesNotContain("not found", "missing");
    }

    private Launch.Outcome killed() throws IOException {
        for (int tries = 1; ; tries++) {
            final String run = "run-" + tries;
            try (MachineWatch machine = new MachineWatch()) {
                final Launch.Outcome outcome =
                        Launch.here(
                                folder, "run plan.yaml --noise 0 --no-history --json --out " + run);
                if (acknowledged(outcome) > 0
                        || tries == MOST_TRIES
                        || !machine.hasStood(folder.resolve(run))) {
                    return outcome;
                }
            }
        }
    }

    private static long acknowledged(final Launch.Outcome outcome) {
        return ResultDocument.parse(outcome.out()).trial().at("/counts/acknowledged").asLong(0);
    }
}
