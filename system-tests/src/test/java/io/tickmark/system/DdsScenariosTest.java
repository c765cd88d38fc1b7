package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/**
 * The seven scenarios of the DDS latency test, as shipped plans, and by the command lines of its
 * table with the program's name exchanged: every option of it is in one of those here. All on one
 * host, and with fewer samples.
 */
@ResourceLock(DdsNeeds.DOMAINS)
@Order(6)
class DdsScenariosTest {
    private static final String FEWER =
            " -numIter 200 -maxSize 64 --warm-up 50ms --connect-timeout 30s --ping-timeout 5s --idle park";

    /** Starts in half the time; five at once on two cores are most of what a small run takes. */
    private static final String SMALL_JVM =
            "jvm: {heap: 64m, collector: serial, options: [\"-XX:TieredStopAtLevel=1\"]}";

    @TempDir private Path folder;
    private UnaryOperator<Launch> host = UnaryOperator.identity();

    @BeforeEach
    void needTheLibrary() {
        DdsNeeds.library();
    }

    @ParameterizedTest
    @CsvSource({
        "1, '-transport 1 -peer 127.0.0.1', ''",
        "4, '-transport 1 -peer 127.0.0.1', ''",
        "4, '-transport 1 -peer 127.0.0.1', '-multicast_ttl 1'",
    })
    void shouldMeasureOverUdp(final int subscribers, final String options, final String multicast)
            throws Exception {
        final String publishers =
                multicast.isEmpty() ? "" : " -mcast_rcv_addr 225.1.2.3 " + multicast;
        final String receivers =
                multicast.isEmpty() ? "" : " -mcast_rcv_addr 225.3.2.1 " + multicast;

        final List<Launch.Outcome> outcomes =
                scenario(subscribers, options + publishers, options + receivers, "");

        assertMeasured(outcomes, subscribers);
        assertThat(outcomes.getFirst().err())
                .containsPattern("Socket send buffer \\d+ bytes; receive buffer \\d+ bytes")
                .contains("recv time sharing, nice 0");
    }

    @ParameterizedTest
    @CsvSource({"1, ''", "4, ''", "1, ' -reliable'", "4, ' -reliable'"})
    void shouldMeasureOverSharedMemory(final int subscribers, final String reliable)
            throws Exception {
        DdsNeeds.daemon();
        final String options = "-transport 2 -peer shmem://" + reliable;

        final List<Launch.Outcome> outcomes;
        // The counter of datagrams covers the host: a separate network keeps other traffic out of
        // it.
        try (Namespaces alone = new Namespaces(1)) {
            host = launch -> alone.on(1, launch);
            outcomes = scenario(subscribers, options, options, " --json");
        }

        final String result = outcomes.getFirst().out();
        assertThat(result).contains("\"sharedMemory\" : true", "\"verdict\" : \"pass\"");
        // -numIter, -maxSize, and the smallest where -minSize is not given
        assertThat(ResultDocument.parse(result).trials())
                .extracting(
                        row -> row.path("payloadBytes").asInt(), row -> row.path("sent").asInt())
                .containsExactly(tuple(16, 200), tuple(32, 200), tuple(64, 200));
        // The samples did not go by the network: only what is left of discovery did.
        assertThat(number(result, "datagramsSentByHost"))
                .isLessThan(number(result, "samplesWritten"));
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
                                        "sizes: [64], samples: 100, warmUp: 1ms, pingTimeout: 5s")
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
                Launch.tickmark(folder, "run --json " + String.join(" ", names)).run();

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
                Launch.tickmark(
                                folder,
                                "latency --channel dds:?reliable&unacknowledgedBytes=8192 --sizes 8192 --samples 200"
                                        + " --warm-up 50ms --no-noise --ping-timeout 5s")
                        .run();

        assertThat(outcome.out()).contains("\n 8192 ", "Passed.");
        assertThat(outcome.exitCode()).isZero();
    }

    @Test
    void shouldServeSharedMemoryByItselfWhereTheDaemonIsAbsent() throws Exception {
        final String options = "-transport 2 -peer shmem://";
        final List<Job> jobs = new ArrayList<>();
        try {
            jobs.add(
                    start(
                            "latency pub -subscribers 1 -domainId 87 -nic 127.0.0.1 "
                                    + options
                                    + FEWER));
            jobs.getFirst().awaitErr("Publishing on shm://dds-87");
            jobs.add(start("latency sub -cookie 1 -domainId 87 -nic 127.0.0.1 " + options));
            final Launch.Outcome outcome = jobs.getFirst().await();
            assertThat(outcome.err()).contains("Not DDS", "shm://dds-87", "iceoryx");
            assertThat(outcome.out()).contains("Not DDS", "Passed.");
        } finally {
            jobs.forEach(Job::close);
        }
    }

    private Job start(final String line) throws Exception {
        return Job.start(
                Launch.tickmark(folder, line).with("TICKMARK_ROUDI", "/nonexistent"), folder);
    }

    private static long number(final String json, final String name) {
        final Matcher matcher = Pattern.compile("\"" + name + "\" : (\\d+)").matcher(json);
        assertThat(matcher.find()).as(name).isTrue();
        return Long.parseLong(matcher.group(1));
    }

    private void assertMeasured(final List<Launch.Outcome> outcomes, final int subscribers) {
        final Launch.Outcome publisher = outcomes.getFirst();
        assertThat(publisher.err())
                .contains("Waiting for " + subscribers + " receiver")
                .contains("[" + subscribers + "]")
                .contains("The subscriber with cookie " + subscribers + " echoes.");
        assertThat(publisher.out())
                .containsSubsequence(
                        "bytes",
                        "stdev us",
                        "ave us",
                        "min us",
                        "50% us",
                        "90% us",
                        "99% us",
                        "99.99% us",
                        "max us",
                        "\n   16 ",
                        "\n   32 ",
                        "\n   64 ",
                        "Passed.",
                        "Test successful!");
        for (final Launch.Outcome outcome : outcomes) {
            assertThat(outcome.exitCode()).as(outcome.err() + outcome.out()).isZero();
        }
    }

    private List<Launch.Outcome> scenario(
            final int subscribers,
            final String publishers,
            final String receivers,
            final String more)
            throws Exception {
        final List<Job> jobs = new ArrayList<>();
        try {
            final String common = "-domainId 88 -nic 127.0.0.1 ";
            jobs.add(
                    Job.start(
                            host.apply(
                                    Launch.tickmark(
                                            folder,
                                            "latency pub "
                                                    + common
                                                    + publishers
                                                    + " -subscribers "
                                                    + subscribers
                                                    + FEWER
                                                    + more)),
                            folder));
            for (int cookie = 1; cookie <= subscribers; cookie++) {
                final String echo = cookie < subscribers ? " -noecho" : "";
                jobs.add(
                        Job.start(
                                host.apply(
                                        Launch.tickmark(
                                                folder,
                                                "latency sub "
                                                        + common
                                                        + receivers
                                                        + " -cookie "
                                                        + cookie
                                                        + echo)),
                                folder));
            }
            final List<Launch.Outcome> outcomes = new ArrayList<>();
            for (final Job job : jobs) {
                outcomes.add(job.await());
            }
            return outcomes;
        } finally {
            jobs.forEach(Job::close);
        }
    }
}
