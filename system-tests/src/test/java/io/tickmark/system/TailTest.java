package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

    private static List<JsonNode> charges(final JsonNode tail, final String cause) {
        return tail.path("bands")
                .valueStream()
                .flatMap(band -> band.path("charges").valueStream())
                .filter(charge -> charge.path("cause").asString().contains(cause))
                .toList();
    }

    private static double ns(final List<JsonNode> charges) {
        return charges.stream().mapToDouble(charge -> charge.path("ns").asDouble()).sum();
    }

    private static void assertAddsUp(final JsonNode tail) {
        for (final JsonNode band : tail.path("bands")) {
            assertThat(
                            band.path("restNs").asLong()
                                    + band.path("charges")
                                            .valueStream()
                                            .mapToLong(charge -> charge.path("ns").asLong())
                                            .sum())
                    .isEqualTo(band.path("aboveMedianNs").asLong());
        }
    }

    @Test
    void shouldChargeTheTailToWhoeverStoppedTheRoles() throws Exception {
        final Path run = folder.resolve("run");
        final Launch.Outcome outcome;
        try (Job job =
                Job.start(
                        Launch.tickmark(
                                folder,
                                "latency --channel shm: --sizes 64 --rate 5000 --duration 8s --idle spin --out run"),
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
        final List<JsonNode> stopped = charges(tail, "stopped");
        assertThat(stopped)
                .as(tail.toString())
                .allMatch(charge -> charge.path("owner").asString().equals("machine"))
                .allMatch(charge -> charge.path("evidence").asString().equals("dated"));
        // a message due within a stop waits for half of it on average; stops are no shorter
        final double waitedNs = STOPS * STOP_NS * RATE_PER_SECOND / 1e9 * STOP_NS / 2;
        assertThat(ns(stopped)).as(tail.toString()).isGreaterThan(waitedNs / 2);
        assertAddsUp(tail);
        assertThat(outcome.out()).contains("Where the latency above the median comes from");
        // what stood longest of all on a busy machine is not for this test to say
        assertThat(Launch.tickmark(folder, "why run").run().out())
                .contains("latency on shm:, 64 bytes: median")
                .containsPattern("was stalled for .*: .* \\((dated|apportioned|inferred)\\)");
        assertThat(Launch.tickmark(folder, "why run --test other").run())
                .satisfies(other -> {
                    assertThat(other.exitCode()).isEqualTo(2);
                    assertThat(other.err()).contains("--test other", "it has latency");
                });
    }

    /**
     * Python loops on every core beside a stream: what had the cores is known by name, the tail of
     * a stream is charged like that of round trips, and charges and rest are all of it.
     */
    @Test
    void shouldNameWhatHadTheCoresOfAStreamsThreads() throws Exception {
        final Path run = folder.resolve("run");
        final Launch.Outcome outcome;
        final List<Process> loops = new ArrayList<>();
        try (Job job =
                Job.start(
                        Launch.tickmark(
                                folder,
                                "stream --channel shm: --payload-bytes 64 --rate 5000 --duration 6s --idle spin --explain"
                                        + " --out run"),
                        folder)) {
            job.awaitReceived(run);
            for (int core = 0; core < Runtime.getRuntime().availableProcessors(); core++) {
                loops.add(
                        new ProcessBuilder(
                                        "timeout",
                                        String.valueOf(PATIENCE_S),
                                        "python3",
                                        "-c",
                                        "while True: pass")
                                .inheritIO()
                                .start());
            }
            outcome = job.await();
        } finally {
            loops.forEach(Process::destroy);
        }

        final JsonNode tail = ResultDocument.read(run.resolve("result.json")).trial().path("tail");
        assertThat(tail.path("threads").valueStream().map(each -> each.path("role").asString()))
                .as(outcome.err() + tail)
                .containsExactlyInAnyOrder("stream-pub", "stream-sub");
        assertAddsUp(tail);
        final String notWatched = tail.path("notWatched").toString();
        assumeTrue(
                !notWatched.contains("cannot be seen: the kernel forbids")
                        && !notWatched.contains("not dated"),
                notWatched);
        assertThat(charges(tail, "another task had the core"))
                .as(tail.toString())
                .anyMatch(charge ->
                        charge.path("evidence").asString().equals("dated")
                                && charge.path("owner").asString().equals("machine"));
        assertThat(tail.path("ranInstead").valueStream().map(ran -> ran.path("name").asString()))
                .as(tail.toString())
                .contains("python3");
        assertThat(Launch.tickmark(folder, "why run").run().out())
                .contains("stream on shm:, 64 bytes: median");
        assertThat(run.resolve("summary.txt"))
                .content()
                .contains("What ran on the cores while watched threads were stalled", "python3");
    }

    /** A collector that works on a clock, and whose own log says how long it took. */
    @Test
    void shouldChargeTheTailToCollectionsOfTheRoles() throws Exception {
        final String options =
                "-XX:G1PeriodicGCInterval=400, -XX:-G1PeriodicGCInvokesConcurrent, '-Xlog:gc:file=%s:timenanos'"
                        .formatted(folder.resolve("gc-%p.log"));
        Files.writeString(
                folder.resolve("collected.yaml"),
                """
                schema: tickmark.plan/1
                name: collected
                tests:
                  - name: t
                    workload: latency
                    channels: ["shm:"]
                    settings: {sizes: 64, rate: 5000, duration: 8s}
                    roles:
                      - {role: latency-pub, jvm: {collector: g1, options: [%s]}}
                      - {role: latency-sub, jvm: {collector: g1, options: [%s]}}
                """
                        .formatted(options, options));
        final Launch.Outcome outcome =
                Launch.tickmark(folder, "run collected.yaml --set idle=spin --out run")
                        .runInTime(folder.resolve("run"));

        final JsonNode tail =
                ResultDocument.read(folder.resolve("run/result.json")).trial().path("tail");
        final List<JsonNode> collected = charges(tail, "collected garbage");
        assertThat(collected)
                .as(outcome.out() + outcome.err() + tail)
                .allMatch(charge -> charge.path("owner").asString().equals("system"))
                .allMatch(charge -> charge.path("evidence").asString().equals("dated"));
        // within a pause messages wait for half of it in the mean; where both roles pause, once
        double waitedNs = 0;
        for (final double pauseNs : pausesNs()) {
            waitedNs += pauseNs * RATE_PER_SECOND / 1e9 * pauseNs / 2;
        }
        assertThat(waitedNs).isPositive();
        assertThat(ns(collected)).as(waitedNs + " ns, " + tail).isGreaterThan(waitedNs / 2);
        assertThat(Launch.tickmark(folder, "why run").run().out())
                .contains("t on shm:, 64 bytes: median")
                .containsPattern("was stalled for .*: .* \\((dated|apportioned|inferred)\\)");
    }

    /**
     * How long full collections of one or both roles lasted, "[12345ns][info][gc] GC(3) Pause Full
     * (...) 9M->8M(512M) 7.1ms", logged at their end by one clock. Only those of the last seconds
     * of a process: it measured then, and was warm.
     */
    private List<Double> pausesNs() throws IOException {
        final Pattern pause = Pattern.compile("\\[(\\d+)ns].* Pause Full .* ([0-9.]+)ms");
        final TreeMap<Double, Double> endsByStart = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (final Path log :
                    files.filter(file -> file.getFileName().toString().startsWith("gc-"))
                            .toList()) {
                final List<Matcher> lines =
                        Files.readAllLines(log).stream()
                                .map(pause::matcher)
                                .filter(Matcher::matches)
                                .toList();
                assertThat(lines).isNotEmpty();
                final double lastNs = Double.parseDouble(lines.getLast().group(1));
                lines.stream()
                        .filter(line -> Double.parseDouble(line.group(1)) > lastNs - 6e9)
                        .forEach(line -> {
                            final double endNs = Double.parseDouble(line.group(1));
                            final double startNs = endNs - Double.parseDouble(line.group(2)) * 1e6;
                            endsByStart.merge(startNs, endNs, Math::max);
                        });
            }
        }
        final List<Double> pausesNs = new ArrayList<>();
        while (!endsByStart.isEmpty()) {
            final var first = endsByStart.pollFirstEntry();
            double endNs = first.getValue();
            while (!endsByStart.isEmpty() && endsByStart.firstKey() <= endNs) {
                endNs = Math.max(endNs, endsByStart.pollFirstEntry().getValue());
            }
            pausesNs.add(endNs - first.getKey());
        }
        return pausesNs;
    }
}
