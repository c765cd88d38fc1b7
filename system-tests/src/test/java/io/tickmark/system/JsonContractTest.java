package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What scripts rely on: standard output, standard error, exit code and the names in the JSON. */
class JsonContractTest {
    private static final String[] RUN = {
        "schema", "plan", "verdict", "reasons", "trials", "aggregates", "noise", "environment",
    };
    private static final String[] TRIAL = {
        "test",
        "channel",
        "repeat",
        "payloadBytes",
        "subscribers",
        "sent",
        "expected",
        "received",
        "lost",
        "duplicated",
        "reordered",
        "durationNs",
        "offeredRatePerSecond",
        "achievedRatePerSecond",
        "maxTightSends",
        "hotThreads",
        "roles",
    };
    private static final List<String> ASCENDING =
            List.of("min", "p50", "p90", "p95", "p99", "p999", "p9999", "max");

    @TempDir private Path folder;

    @Test
    void shouldReportAClosedLoopAsOneDocument() {
        final ResultDocument result =
                measured(
                        "latency --channel udp://127.0.0.1:0 --sizes 64 --samples 300 --warm-up 50ms --ping-timeout 10s"
                                + " --noise 50ms --repeats 2 --json");
        assertThat(result.text("plan")).isEqualTo("latency");
        assertThat(result.trials()).hasSize(2);
        for (final JsonNode trial : result.trials()) {
            assertThat(trial.propertyNames()).contains(TRIAL).doesNotContain("responseNs");
            assertThat(trial.path("channel").asString()).isEqualTo("udp://127.0.0.1:0");
            assertThat(trial.path("sent").asInt()).isEqualTo(300);
            assertThat(trial.path("payloadBytes").asInt()).isEqualTo(64);
            assertThat(trial.path("labels").toString()).contains("closed-loop");
            shouldBeADistribution(trial.path("roundTripNs"), 300);
            shouldHaveRoles(trial, "latency-pub", "latency-sub");
        }
        assertThat(result.trials())
                .extracting(trial -> trial.path("repeat").asInt())
                .containsExactly(1, 2);
        final JsonNode aggregate = result.root().path("aggregates").path(0);
        assertThat(aggregate.path("repeats").asInt()).isEqualTo(2);
        assertThat(aggregate.at("/figures/roundTripNs.p50/median").asDouble()).isPositive();
    }

    @Test
    void shouldReportAStreamAsOneDocument() throws IOException {
        final ResultDocument result =
                measured(
                        "stream --channel shm: --payload-bytes 100 --rate 2k --messages 10000"
                                + " --subscribers 2 --jvm-warm-up 50ms --noise 50ms --json --out there");
        final JsonNode trial = result.trial();
        assertThat(trial.propertyNames()).contains(TRIAL).doesNotContain("roundTripNs");
        assertThat(trial.path("subscribers").asInt()).isEqualTo(2);
        assertThat(trial.path("sent").asInt()).isEqualTo(10_000);
        assertThat(trial.path("expected").asInt()).isEqualTo(20_000);
        assertThat(trial.path("received").asInt()).isEqualTo(20_000);
        assertThat(trial.path("lost").asInt()).isZero();
        assertThat(trial.path("offeredRatePerSecond").asDouble()).isEqualTo(2000);
        assertThat(trial.path("achievedRatePerSecond").asDouble()).isPositive();
        assertThat(trial.path("maxTightSends").asInt()).isPositive();
        shouldBeADistribution(trial.path("responseNs"), 20_000);
        shouldBeADistribution(trial.path("serviceNs"), 20_000);
        shouldHaveRoles(trial, "stream-pub", "stream-sub", "stream-sub");
        assertThat(ResultDocument.read(folder.resolve("there/result.json"))).isEqualTo(result);
    }

    /** Standard output is one valid document, standard error is silent. */
    private ResultDocument measured(final String line) {
        final Launch.Outcome outcome = Launch.tickmark(folder, line).run();
        assertThat(outcome.err()).isEmpty();
        final ResultDocument result = ResultDocument.parse(outcome.out());
        assertThat(result.root().propertyNames()).contains(RUN);
        assertThat(result.text("schema")).isEqualTo("tickmark.result/1");
        // A loaded machine may not hold the rate; that is no matter of the contract.
        assertThat(outcome.exitCode()).isEqualTo(result.text("verdict").equals("pass") ? 0 : 1);
        assertThat(result.root().at("/noise/cores").valueStream()).isNotEmpty();
        assertThat(result.root().path("environment").propertyNames())
                .contains("cpu", "kernel", "memory", "jvm", "libraries");
        return result;
    }

    private static void shouldBeADistribution(final JsonNode latency, final int count) {
        assertThat(latency.path("count").asInt()).isEqualTo(count);
        assertThat(latency.path("mean").asDouble()).isPositive();
        assertThat(latency.path("stdev").asDouble()).isNotNegative();
        // A percentile is there where at least ten values lie above it.
        assertThat(latency.has("p99")).isEqualTo(count >= 1_000);
        assertThat(latency.has("p9999")).isEqualTo(count >= 100_000);
        assertThat(ASCENDING.stream().filter(latency::has)).contains("min", "p50", "p90", "max");
        assertThat(ASCENDING.stream().filter(latency::has).map(name -> latency.path(name).asLong()))
                .isSorted();
        assertThat(latency.path("min").asLong()).isPositive();
    }

    private static void shouldHaveRoles(final JsonNode trial, final String... names) {
        assertThat(trial.path("roles").valueStream())
                .extracting(role -> role.path("role").asString())
                .containsExactly(names);
        assertThat(trial.path("roles").valueStream())
                .allSatisfy(role -> assertThat(role.path("index").asInt()).isPositive())
                .allSatisfy(role -> assertThat(role.path("metrics").isEmpty()).isFalse());
    }
}
