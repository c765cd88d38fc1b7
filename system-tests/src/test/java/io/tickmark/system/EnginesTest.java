package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transport;
import io.tickmark.transport.Transports;
import io.tickmark.transport.store.DurableTransport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * Every kind of engine through the front door: round trips and a stream over each, and stored
 * streams whose servers are killed. What is not installed here is a skipped test, and no silence.
 */
@ResourceLock(EnginesTest.SERVERS)
@Order(7)
class EnginesTest {
    /** Servers that take both cores and the disk: one class of tests at a time starts them. */
    static final String SERVERS = "servers";

    /** Measured by most other tests of this module. */
    private static final Set<String> KNOWN_WELL =
            Set.of("udp", "mcast", "tcp", "ws", "shm", "null", "aeron", "dds");

    /** Stores whose servers {@link StoresTest} kills, and one that has none. */
    private static final Set<String> KILLED_ELSEWHERE =
            Set.of("archive", "cluster", "kafka", "jetstream", "chronicle");

    private static final Map<String, Transport> ENGINES = new Transports().all();

    @TempDir private Path folder;

    static List<String> kinds() {
        return new Transports()
                .kinds().stream()
                        .filter(Transport.Kind::isCompared)
                        .map(Transport.Kind::channel)
                        .filter(kind -> !KNOWN_WELL.contains(ChannelUri.parse(kind).scheme()))
                        .toList();
    }

    /** Both roles share a process, and wait without a core: one more server is enough to run. */
    @ParameterizedTest
    @MethodSource("kinds")
    void shouldMeasureRoundTripsAndAStream(final String channel) throws IOException {
        final String scheme = ChannelUri.parse(channel).scheme();
        assumeTrue(whyAbsent(scheme).isEmpty(), whyAbsent(scheme));

        assertMeasures(channel);
    }

    /** Why an engine or its server cannot be used here, a sentence; empty where it can. */
    private static String whyAbsent(final String scheme) {
        final Transport engine = ENGINES.get(scheme);
        return engine.absence().or(() -> DownloadedServers.missing(engine)).orElse("");
    }

    private void assertMeasures(final String channel) throws IOException {
        final List<JsonNode> trials =
                trials(
                        channel,
                        """
                        schema: tickmark.plan/1
                        name: kind
                        noise: 0s
                        tests:
                          - name: round-trips
                            workload: latency
                            channels: ["%1$s"]
                            settings: {sizes: [64], rate: 500, duration: 200ms, warmUp: 50ms, pingTimeout: 10s, idle: adaptive}
                            roles: [{role: latency-pub, process: both}, {role: latency-sub, process: both}]
                          - name: one-way
                            workload: stream
                            channels: ["%1$s"]
                            settings: {payloadBytes: 64, rate: 500, messages: 100, jvmWarmUp: 50ms, idle: adaptive}
                            roles: [{role: stream-pub, process: both}, {role: stream-sub, process: both}]
                        """
                                .formatted(channel));

        assertThat(trials).hasSize(2);
        assertThat(trials)
                .allSatisfy(trial -> {
                    assertThat(trial.path("channel").asString()).isEqualTo(channel);
                    assertThat(trial.path("sent").asLong()).isPositive();
                    assertThat(trial.path("received").asLong())
                            .isEqualTo(trial.path("sent").asLong());
                });
        assertThat(trials.getFirst().path("responseNs").path("count").asLong()).isPositive();
        assertWhole(trials.getLast());
        assertThat(trials.getLast().path("counts").has("acknowledged"))
                .as("nobody asked for a store")
                .isFalse();
    }

    /** All 100, or as many as a machine that did not hold the rate had time for. */
    private static void assertWhole(final JsonNode trial) {
        final long received = trial.path("received").asLong();
        assertThat(received).isPositive().isEqualTo(trial.path("sent").asLong());
        if (!trial.path("labels").toString().contains("saturated")) {
            assertThat(received).isEqualTo(100);
        }
    }

    /** A user's driver in jars of its own. */
    @Test
    void shouldMeasureADriverOfAnotherFramework() throws Exception {
        final Process server = withDriver("");
        try {
            assertMeasures("omb:tcp.yaml");
        } finally {
            server.destroyForcibly();
        }
    }

    /** Each such result used to say that they count as lost. */
    @Test
    void shouldLoseNothingOfAPartitionThatTheEndOfItsStepHasOvertaken() throws Exception {
        final Process server = withDriver("fault: overtaken\n");
        try {
            final JsonNode trial =
                    trials(
                                    "omb:tcp.yaml?partitions=3",
                                    """
                                    schema: tickmark.plan/1
                                    name: overtaken
                                    noise: 0s
                                    tests:
                                      - name: one-way
                                        workload: stream
                                        channels: ["omb:tcp.yaml?partitions=3"]
                                        settings: {payloadBytes: 64, rate: 500, messages: 100, jvmWarmUp: 50ms, idle: adaptive}
                                        roles: [{role: stream-pub, process: both}, {role: stream-sub, process: both}]
                                    """)
                            .getFirst();

            assertThat(trial.path("counts").path("reordered").asLong()).isPositive();
            assertWhole(trial);
            assertThat(trial.path("lost").asLong()).isZero();
            assertThat(trial.toString()).doesNotContain("count as lost");
        } finally {
            server.destroyForcibly();
        }
    }

    /**
     * The server that the driver of the engine's tests talks to; that is compiled for a channel.
     */
    private Process withDriver(final String fault) throws IOException {
        final Path own = Launch.ROOT.resolve("engines/omb/src/test");
        final Path jars = Files.createDirectory(folder.resolve("lib"));
        final List<String> compiling =
                new ArrayList<>(List.of("-d", folder.resolve("classes") + ""));
        try (Stream<Path> sources =
                Stream.concat(
                        Files.walk(own.resolve("resources/jars/api")),
                        Files.walk(own.resolve("resources/jars/driver")))) {
            sources.map(Path::toString)
                    .filter(file -> file.endsWith(".java"))
                    .forEach(compiling::add);
        }
        run("javac", compiling);
        run(
                "jar",
                List.of(
                        "-cf",
                        jars.resolve("driver.jar") + "",
                        "-C",
                        folder.resolve("classes") + "",
                        "."));
        final Process server =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                own.resolve("java/io/tickmark/engines/omb/FanOutServer.java")
                                        .toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        Files.writeString(
                folder.resolve("tcp.yaml"),
                "driverClass: lab.TcpDriver\nport: %s\n%s"
                        .formatted(server.inputReader().readLine(), fault));
        return server;
    }

    private static void run(final String tool, final List<String> arguments) {
        final StringWriter said = new StringWriter();
        final PrintWriter out = new PrintWriter(said);
        assertThat(
                        ToolProvider.findFirst(tool)
                                .orElseThrow()
                                .run(out, out, arguments.toArray(String[]::new)))
                .as(() -> said.toString())
                .isZero();
    }

    static Stream<String> storesThatAreKilledHere() {
        return new TreeMap<>(ENGINES)
                .entrySet().stream()
                        .filter(each ->
                                each.getValue() instanceof DurableTransport
                                        && !each.getValue().kinds().isEmpty()
                                        && !KILLED_ELSEWHERE.contains(each.getKey()))
                        .map(Map.Entry::getKey);
    }

    /** It is killed while messages are sent to it, and restarted. */
    @ParameterizedTest
    @MethodSource("storesThatAreKilledHere")
    void shouldFindAllAgainWhenTheServerOfAnyStoreIsKilledAndRestarted(final String scheme)
            throws IOException {
        final String why = whyAbsent(scheme);
        assumeTrue(why.isEmpty(), why);
        final String channel = scheme + ":";

        final List<JsonNode> trials =
                trials(
                        channel,
                        """
                        schema: tickmark.plan/1
                        name: killed
                        noise: 0s
                        tests:
                          - name: killed
                            workload: stream
                            channels: ["%s"]
                            settings:
                              {payloadBytes: 64, rate: 500, messages: 1000, jvmWarmUp: 50ms, storeWarmUp: 100ms,
                               storeTimeout: 180s, idle: adaptive}
                            roles:
                              - {role: store}
                              - {role: stream-pub, process: both}
                              - {role: stream-sub, process: both}
                            faults:
                              - {role: store, member: 1, at: 1s, do: kill}
                              - {role: store, member: 1, at: 1200ms, do: restart}
                            criteria: {maxDuplicated: 100000, minRateHeldPart: 0}
                        """
                                .formatted(channel));

        assertThat(trials.stream().map(trial -> trial.path("channel").asString()))
                .containsExactly(channel);
        for (final JsonNode trial : trials) {
            final JsonNode counts = trial.path("counts");
            assertThat(counts.path("acknowledged").asLong()).as(trial.toString()).isPositive();
            assertThat(counts.path("acknowledgedNotFound").asLong()).as(trial.toString()).isZero();
            assertThat(trial.path("lost").asLong()).as(trial.toString()).isZero();
            // a store that deletes what was acknowledged has none of it left
            final boolean isDeleted = trial.toString().contains("\"deletion\":\"acknowledged\"");
            assertThat((isDeleted ? trial.path("received") : counts.path("stored")).asLong())
                    .as(trial.toString())
                    .isGreaterThanOrEqualTo(counts.path("acknowledged").asLong());
            assertThat(trial.toString()).contains("member 1 killed at", "member 1 restarted at");
        }
    }

    /**
     * By a process of its own where a variable names a downloaded server, or a channel a file in
     * the folder.
     */
    private List<JsonNode> trials(final String channel, final String plan) throws IOException {
        Files.writeString(folder.resolve("plan.yaml"), plan);
        final String line = "run plan.yaml --json --no-history --out result";
        final String scheme = ChannelUri.parse(channel).scheme();
        final String variable = DownloadedServers.variable(scheme);
        final Optional<String> home = Optional.ofNullable(DownloadedServers.homes().get(variable));
        final Launch.Outcome outcome =
                home.isEmpty() && !scheme.equals("omb")
                        ? Launch.here(folder, line)
                        : Launch.tickmark(folder, line)
                                .writingNoClasses()
                                .with(variable, home.orElse(""))
                                .runInTime(folder.resolve("result"));
        outcome.passedOrWasSaturated();
        return ResultDocument.parse(outcome.out()).trials();
    }
}
