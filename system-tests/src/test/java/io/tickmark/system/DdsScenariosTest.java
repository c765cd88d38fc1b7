package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.JsonNode;

/**
 * The seven scenarios of the DDS latency test as shipped plans, with fewer samples, and what is
 * special about them. {@link ReferenceLinesTest} types their command lines.
 */
@ResourceLock(DdsNeeds.DOMAINS)
@Order(6)
class DdsScenariosTest {
    private static final String FEWER =
            " -numIter 200 -maxSize 64 --warm-up 50ms --connect-timeout 120s --ping-timeout 20s";

    /** Starts in half the time; five at once on two cores are most of what a small run takes. */
    private static final String SMALL_JVM =
            "jvm: {heap: 64m, collector: serial, options: [\"-XX:TieredStopAtLevel=1\"]}";

    @TempDir private Path folder;

    @BeforeEach
    void needTheLibrary() {
        DdsNeeds.library();
    }

    /**
     * All in one command; the subscribers of a trial in one process, because by their command lines
     * each has its own. Fewer pings than a queue of shared memory holds, so none is lost.
     */
    @Test
    void shouldRunTheSevenScenariosAsPlans() throws Exception {
        DdsNeeds.daemon();
        final Path shipped = Launch.ROOT.resolve("engines/dds/src/main/resources/tickmark/plans");
        final List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> plans = Files.newDirectoryStream(shipped, "dds-1-*.yaml")) {
            for (final Path plan : plans) {
                final String text = Files.readString(plan);
                final String shorter =
                        text.replaceAll(
                                        "sizes: \"16..8192\", samples: \\d+",
                                        "sizes: [64], samples: 100, warmUp: 1ms, pingTimeout: 20s")
                                .replaceAll("role: (latency-\\w+)", "role: $1, " + SMALL_JVM)
                                .replace("role: latency-sub,", "role: latency-sub, process: subs,")
                                .replace("noise: 1s", "noise: 0s");
                assertThat(shorter).isNotEqualTo(text);
                Files.writeString(folder.resolve(plan.getFileName()), shorter);
                names.add(plan.getFileName().toString());
            }
        }
        assertThat(names).hasSize(7);

        final Launch.Outcome outcome =
                Launch.here(
                        folder, "run --json --no-history --out there " + String.join(" ", names));

        final ResultDocument result = ResultDocument.parse(outcome.out());
        assertThat(result.trials()).hasSize(3 + 2 * 4);
        assertThat(result.trials())
                .allSatisfy(trial -> {
                    assertThat(trial.path("verdict").asString()).isEqualTo("pass");
                    assertThat(trial.path("received").asInt()).isPositive();
                });
        // Derived where there are several subscribers, from the one-to-one test of the same run.
        final List<JsonNode> aggregates = result.root().path("aggregates").valueStream().toList();
        assertThat(aggregates).hasSize(3 + 2 * 4);
        assertThat(aggregates)
                .filteredOn(row -> row.path("figures").has("oneWayToLastNs.p50"))
                .hasSize(4)
                .allSatisfy(row -> {
                    final String test = row.path("test").asString();
                    assertThat(test).startsWith("dds-1-4-").doesNotEndWith("one-to-one");
                    final JsonNode base = oneToOne(aggregates, row.path("channel").asString());
                    assertThat(median(row, "oneWayToLastNs.p50"))
                            .isCloseTo(
                                    median(row, "roundTripNs.p50") - median(base, "oneWayNs.p50"),
                                    within(2.0));
                });
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    }

    /** The first one-to-one test on a channel. */
    private static JsonNode oneToOne(final List<JsonNode> aggregates, final String channel) {
        return aggregates.stream()
                .filter(row -> row.path("channel").asString().equals(channel))
                .filter(row -> row.path("figures").has("oneWayNs.p50"))
                .findFirst()
                .orElseThrow();
    }

    private static double median(final JsonNode row, final String figure) {
        return row.path("figures").path(figure).path("median").asDouble();
    }

    /**
     * A writer that holds one message unacknowledged refuses the next echo on the very thread that
     * has to take the acknowledgement: the test stood still.
     */
    @Test
    void shouldEchoReliablyWhereTheWriterHasNoRoom() {
        final Launch.Outcome outcome =
                Launch.here(
                        folder,
                        "latency --channel dds:?reliable&unacknowledgedBytes=8192 --sizes 8192 --samples 200"
                                + " --warm-up 50ms --no-noise --no-history --ping-timeout 20s --out there");

        assertThat(outcome.out()).contains("\n 8192 ", "Passed.");
        assertThat(outcome.exitCode()).isZero();
    }

    @Test
    void shouldServeSharedMemoryByItselfWhereTheDaemonIsAbsent() throws Exception {
        final int domain = DdsNeeds.domain(6);
        final String options = " -nic 127.0.0.1 -transport 2 -peer shmem://";
        final List<Job> jobs = new ArrayList<>();
        try {
            jobs.add(start("latency pub -subscribers 1 -domainId " + domain + options + FEWER));
            jobs.getFirst().awaitErr("Publishing on shm://dds-" + domain);
            jobs.add(start("latency sub -cookie 1 -domainId " + domain + options));
            final Launch.Outcome outcome = jobs.getFirst().await();
            assertThat(outcome.err()).contains("Not DDS", "shm://dds-" + domain, "iceoryx");
            assertThat(outcome.out()).contains("Not DDS", "Passed.");
        } finally {
            jobs.forEach(Job::close);
        }
    }

    private Job start(final String line) throws Exception {
        return Job.start(
                Launch.tickmark(folder, line).with("TICKMARK_ROUDI", "/nonexistent"), folder);
    }
}
