package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A run whose tail has a cause that is known, because the test made it. */
class TailTest {
    private static final int STOPS = 10;
    private static final double STOP_NS = 20e6;
    private static final double RATE_PER_SECOND = 5_000;
    private static final long PATIENCE_S = 60L * Launch.PATIENCE;

    @TempDir private Path folder;

    @Test
    void shouldChargeTheTailToWhoeverStoppedTheRoles() throws Exception {
        final Path run = folder.resolve("run");
        final Launch.Outcome outcome;
        try (Job job =
                Job.start(
                        Launch.tickmark(
                                folder,
                                "latency --channel shm: --sizes 64 --rate 5000 --duration 8s --repeats 1 --out run"),
                        folder)) {
            job.awaitReceived(run);
            final String roles =
                    job.roles().stream()
                            .map(role -> String.valueOf(role.pid()))
                            .collect(Collectors.joining(" "));
            final Process stopping =
                    new ProcessBuilder(
                                    "/bin/sh",
                                    "-c",
                                    "for stop in $(seq %d); do kill -STOP %s; sleep 0.02; kill -CONT %s; sleep 0.2; done"
                                            .formatted(STOPS, roles, roles))
                            .inheritIO()
                            .start();
            assertThat(stopping.waitFor(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
            assertThat(stopping.exitValue()).isZero();
            outcome = job.await();
        }

        final JsonNode tail = ResultDocument.read(run.resolve("result.json")).trial().path("tail");
        assertThat(tail.path("threads").size()).as(outcome.err() + tail).isEqualTo(2);
        final List<JsonNode> stopped =
                tail.path("bands")
                        .valueStream()
                        .flatMap(band -> band.path("charges").valueStream())
                        .filter(charge -> charge.path("cause").asString().contains("stopped"))
                        .toList();
        assertThat(stopped)
                .as(tail.toString())
                .allMatch(charge -> charge.path("owner").asString().equals("machine"))
                .allMatch(charge -> charge.path("evidence").asString().equals("dated"));
        // a message wanted within a stop waits for half of it in the mean; stops are no shorter
        final double waitedNs = STOPS * STOP_NS * RATE_PER_SECOND / 1e9 * STOP_NS / 2;
        assertThat(stopped.stream().mapToDouble(charge -> charge.path("ns").asDouble()).sum())
                .as(tail.toString())
                .isGreaterThan(waitedNs / 2);
        for (final JsonNode band : tail.path("bands")) {
            assertThat(
                            band.path("restNs").asLong()
                                    + band.path("charges")
                                            .valueStream()
                                            .mapToLong(charge -> charge.path("ns").asLong())
                                            .sum())
                    .isEqualTo(band.path("aboveMedianNs").asLong());
        }
        assertThat(outcome.out()).contains("Where the latency above the median comes from");
    }
}
