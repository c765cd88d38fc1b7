package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tickmark.kernel.host.Affinity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** A run whose tail has a cause that is known, because the test made it. */
class TailTest {
    private static final int STOPS = 10;

    /** Of what ran instead, the longest first. */
    private static final int MOST_NAMES = 10;

    private static final double STOP_NS = 20e6;
    private static final double RATE_PER_SECOND = 5_000;
    private static final long PATIENCE_S = 60L * Launch.PATIENCE;

    /** Machines of tests are never quiet, so that all other tests go without the rule. */
    private static final String TAKEN = "TICKMARK_MAX_TAKEN_PART";

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

    /**
     * A thread that spins misses all of a stop, one that sleeps what is left of it when it is due.
     */
    @ParameterizedTest
    @ValueSource(strings = {"spin", "adaptive"})
    void shouldChargeTheTailToWhoeverStoppedTheRoles(final String idle) throws Exception {
        final Path run = folder.resolve("run");
        final Launch.Outcome outcome;
        try (Job job =
                Job.start(
                        Launch.tickmark(
                                folder,
                                "latency --channel shm: --sizes 64 --rate 5000 --duration 8s --no-noise --out run --idle "
                                        + idle),
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
     * a stream is charged like that of round trips, and charges and rest are all of it. The loops
     * run before the stream begins, so that none comes too late on a busy machine.
     */
    @Test
    void shouldNameWhatHadTheCoresOfAStreamsThreads() throws Exception {
        final Path run = folder.resolve("run");
        final Launch.Outcome outcome;
        final List<Process> loops = new ArrayList<>();
        try {
            for (int core = 0; core < Runtime.getRuntime().availableProcessors(); core++) {
                loops.add(loop());
            }
            outcome =
                    Launch.tickmark(
                                    folder,
                                    "stream --channel shm: --payload-bytes 64 --rate 5000 --duration 6s --idle spin"
                                            + " --explain --no-noise --out run")
                            .run();
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
                !tail.path("notTraced").toString().contains("ran_instead")
                        && !notWatched.contains("not dated"),
                tail.path("notTraced") + notWatched);
        assertThat(charges(tail, "another task had the core"))
                .as(tail.toString())
                .anyMatch(charge ->
                        charge.path("evidence").asString().equals("dated")
                                && charge.path("owner").asString().equals("machine"));
        assertThat(noted(run))
                .as("what each role noted")
                .anyMatch(line -> line.contains(":python3="));
        final List<String> names =
                tail.path("ranInstead")
                        .valueStream()
                        .map(ran -> ran.path("name").asString())
                        .toList();
        assertThat(names.contains("python3") || names.size() == MOST_NAMES)
                .as("others may have had the cores for longer: %s", tail)
                .isTrue();
        assertThat(Launch.tickmark(folder, "why run").run().out())
                .contains("stream on shm:, 64 bytes: median");
        assertThat(run.resolve("summary.txt"))
                .content()
                .contains(
                        "What ran on the cores while watched threads were stalled",
                        names.getFirst());
    }

    /** A loop in Python that has begun. */
    private static Process loop() throws IOException {
        final Process loop =
                new ProcessBuilder(
                                "timeout",
                                String.valueOf(PATIENCE_S),
                                "python3",
                                "-c",
                                "print(flush=True)\nwhile True: pass")
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        assertThat(loop.getInputStream().read()).as("what it prints first").isEqualTo('\n');
        return loop;
    }

    /** The lines of all roles about the cores of their threads. */
    private static List<String> noted(final Path run) throws IOException {
        final List<String> lines = new ArrayList<>();
        try (Stream<Path> roles = Files.list(run.resolve("roles"))) {
            for (final Path role : roles.toList()) {
                lines.addAll(Files.readAllLines(role.resolve("stalls.csv")));
            }
        }
        return lines;
    }

    /**
     * Only the subscriber is stopped, so that messages wait in its socket: neither the sender nor
     * the network is late by that.
     */
    @Test
    void shouldFindTheWaitForAStoppedSubscriberBehindTheKernelsArrivals() throws Exception {
        final JsonNode stages = stagesWithAStoppedSubscriber("stream", "payloadBytes: 64");

        final double waitedNs = STOPS * STOP_NS * 2_000 / 1e9 * STOP_NS / 2;
        assertThat(sum(stages, "/untilReceivedNs"))
                .as(stages.toString())
                .isGreaterThan(waitedNs / 2);
        // on the loopback device a message arrives within the call that sends it
        assertThat(sum(stages, "/onTheWayNs")).as(stages.toString()).isLessThan(waitedNs / 2);
        assertThat(sum(stages, "/messages")).isGreaterThan(100 * sum(stages, "/unknown"));
        assertThat(folder.resolve("run/summary.txt"))
                .content()
                .contains("Where messages were, by the kernel's times (means)", "on the way");
    }

    /** The same of an echo: pings wait in its socket, and neither way over the network is late. */
    @Test
    void shouldFindTheWaitForAStoppedEchoInItsSocket() throws Exception {
        final JsonNode stages = stagesWithAStoppedSubscriber("latency", "sizes: 64");

        final double waitedNs = STOPS * STOP_NS * 2_000 / 1e9 * STOP_NS / 2;
        assertThat(sum(stages, "/atEcho/untilTakenNs"))
                .as(stages.toString())
                .isGreaterThan(waitedNs / 2);
        assertThat(sum(stages, "/atEcho/toEchoNs") + sum(stages, "/atEcho/fromEchoNs"))
                .as(stages.toString())
                .isLessThan(waitedNs / 10);
        assertThat(sum(stages, "/atEcho/messages"))
                .as(stages.toString())
                .isGreaterThan(0.9 * sum(stages, "/messages"));
        assertThat(folder.resolve("run/summary.txt"))
                .content()
                .contains("until the echo had it", "at the echo");
    }

    private JsonNode stagesWithAStoppedSubscriber(final String workload, final String setting)
            throws Exception {
        Files.writeString(
                folder.resolve("stopped.yaml"),
                """
                schema: tickmark.plan/1
                name: stopped
                tests:
                  - name: t
                    workload: %1$s
                    channels: ["udp://127.0.0.1:0?kernelTimes=true"]
                    settings: {%2$s, rate: 2000, duration: 8s}
                    roles:
                      - {role: %1$s-pub}
                      - {role: %1$s-sub, jvm: {options: [-Dis.subscriber=true]}}
                """
                        .formatted(workload, setting));
        final Path run = folder.resolve("run");
        final Launch.Outcome outcome;
        try (Job job =
                Job.start(
                        Launch.tickmark(
                                folder, "run stopped.yaml --repeats 1 --no-noise --out run"),
                        folder)) {
            job.awaitReceived(run);
            final List<Long> subscribers =
                    job.roles().stream()
                            .filter(role ->
                                    role.info().commandLine().orElse("").contains("is.subscriber"))
                            .map(ProcessHandle::pid)
                            .toList();
            assertThat(subscribers).hasSize(1);
            final long pid = subscribers.getFirst();
            final Process stopping =
                    new ProcessBuilder(
                                    "/bin/sh",
                                    "-c",
                                    "for stop in $(seq %d); do kill -STOP %d; sleep 0.02; kill -CONT %d; sleep 0.2; done"
                                            .formatted(STOPS, pid, pid))
                            .inheritIO()
                            .start();
            assertThat(stopping.waitFor(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
            assertThat(stopping.exitValue()).isZero();
            outcome = job.await();
        }

        final JsonNode tail = ResultDocument.read(run.resolve("result.json")).trial().path("tail");
        final JsonNode stages = tail.path("stages");
        assertThat(stages.size()).as(outcome.err() + tail).isGreaterThanOrEqualTo(4);
        return stages;
    }

    /**
     * A control group that gives two spinning threads 10 of 100 ms: for the rest they stand, though
     * the cores are free.
     */
    @Test
    void shouldChargeAQuotaOfAControlGroupToTheMachine() throws Exception {
        final Path run = folder.resolve("run");
        final Launch.Outcome outcome;
        final long throttled;
        try (Quota quota = Quota.make()) {
            try (Job job =
                    Job.start(
                            Launch.tickmark(
                                            folder,
                                            "latency --channel shm: --sizes 64 --rate 5000 --duration 8s --idle spin"
                                                    + " --no-noise --out run")
                                    .with(TAKEN, ""),
                            folder)) {
                job.awaitReceived(run);
                for (final ProcessHandle role : job.roles()) {
                    quota.holds(role.pid());
                }
                outcome = job.await();
            }
            throttled = quota.throttled();
        }
        assumeTrue(throttled >= 10, "the roles had too little of the cores to use their quota up");

        final JsonNode trial = ResultDocument.read(run.resolve("result.json")).trial();
        final JsonNode tail = trial.path("tail");
        // each of the two had a tenth of the time at most, from when the quota held on
        assertThat(trial.path("verdict").asString()).as(tail.toString()).isEqualTo("void");
        assertThat(trial.path("reasons").path(0).asString())
                .contains("The machine had taken the core of", "at most 20.0 %");
        assertThat(outcome.exitCode()).isEqualTo(1);
        final double machineNs =
                tail.path("bands")
                        .valueStream()
                        .flatMap(band -> band.path("charges").valueStream())
                        .filter(charge -> charge.path("owner").asString().equals("machine"))
                        .mapToDouble(charge -> charge.path("ns").asDouble())
                        .sum();
        // the quota is of all threads together, so that each time is a few ms at least
        assertThat(machineNs)
                .as(outcome.err() + throttled + " times, " + tail)
                .isGreaterThan(throttled * 2e6 * RATE_PER_SECOND / 1e9 * 2e6 / 2 / 2);
        assertAddsUp(tail);
    }

    /**
     * Three loops on the publisher's core leave it a quarter of the time: nothing can be concluded,
     * and the reason says what to do. With a limit of its own the same run is judged.
     */
    @ParameterizedTest
    @ValueSource(strings = {"0.2", "1"})
    void shouldVoidARunWhoseCoreStrangersHad(final String most) throws Exception {
        final int core = Affinity.allowedCores().getFirst();
        final int other = Affinity.allowedCores().getLast();
        Files.writeString(
                folder.resolve("taken.yaml"),
                """
                schema: tickmark.plan/1
                name: taken
                tests:
                  - name: t
                    workload: latency
                    channels: ["shm:"]
                    settings: {sizes: 64, rate: 1000, duration: 6s, idle: spin}
                    criteria: {maxTakenPart: %s, minRateHeldPart: 0}
                    roles:
                      - {role: latency-pub, cores: [%d]}
                      - {role: latency-sub, cores: [%d]}
                """
                        .formatted(most, core, other));
        final Path run = folder.resolve("run");
        final Launch.Outcome outcome;
        final List<Process> loops = new ArrayList<>();
        try (Job job =
                Job.start(
                        Launch.tickmark(folder, "run taken.yaml --repeats 1 --no-noise --out run")
                                .with(TAKEN, ""),
                        folder)) {
            job.awaitReceived(run);
            for (int loop = 0; loop < 3; loop++) {
                loops.add(
                        new ProcessBuilder(
                                        "taskset",
                                        "-c",
                                        String.valueOf(core),
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

        final JsonNode trial = ResultDocument.read(run.resolve("result.json")).trial();
        final JsonNode tail = trial.path("tail");
        if (tail.path("notWatched").toString().contains("not dated")) {
            // the kernel lost records on a busy machine: that others had the core is counted all
            // the same
            assertThat(tail.path("threads").valueStream())
                    .as(tail.toString())
                    .anyMatch(thread ->
                            thread.path("takenPart").asDouble()
                                            + thread.path("unattributedPart").asDouble()
                                    > 0.2);
            return;
        }
        final double taken =
                tail.path("threads")
                        .valueStream()
                        .mapToDouble(thread -> thread.path("takenPart").asDouble())
                        .max()
                        .orElseThrow();
        assertThat(taken).as(outcome.err() + tail).isGreaterThan(0.2);
        if (most.equals("1")) {
            assertThat(trial.path("reasons").toString()).doesNotContain("had taken the core");
            return;
        }
        assertThat(trial.path("verdict").asString()).isEqualTo("void");
        assertThat(trial.path("reasons").path(0).asString())
                .contains(
                        "The machine had taken the core of",
                        "at most 20.0 %",
                        "End what runs beside");
        assertThat(outcome.exitCode()).isEqualTo(1);
    }

    /** A control group with a quota of its own, version 2 or 1. */
    private record Quota(Path group) implements AutoCloseable {
        private static final Path ROOT = Path.of("/sys/fs/cgroup");

        /** Of 0.2 cores. */
        static Quota make() {
            Quota made = null;
            for (final Path parent : List.of(ROOT, ROOT.resolve("cpu"))) {
                final Path group = parent.resolve("tickmark-test-" + ProcessHandle.current().pid());
                final boolean is2 = Files.exists(parent.resolve("cgroup.controllers"));
                try {
                    Files.createDirectory(group);
                    Files.writeString(
                            group.resolve(is2 ? "cpu.max" : "cpu.cfs_quota_us"),
                            is2 ? "20000 100000" : "20000",
                            StandardOpenOption.WRITE); // a folder of another kind has no such file
                    made = new Quota(group);
                    break;
                } catch (final IOException e) {
                    group.toFile().delete(); // no such hierarchy, no right, or no such controller
                }
            }
            assumeTrue(
                    made != null,
                    "no control group with a quota can be made here, so this could not be looked at");
            return made;
        }

        void holds(final long pid) throws IOException {
            Files.writeString(group.resolve("cgroup.procs"), Long.toString(pid));
        }

        /** Periods in which it used its quota up. */
        long throttled() throws IOException {
            return Files.readAllLines(group.resolve("cpu.stat")).stream()
                    .filter(line -> line.startsWith("nr_throttled "))
                    .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
                    .sum();
        }

        @Override
        public void close() {
            try {
                Job.await("the end of all in " + group, () -> group.toFile().delete());
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError(e);
            }
        }
    }

    private static double sum(final JsonNode stages, final String pointer) {
        return stages.valueStream().mapToDouble(band -> band.at(pointer).asDouble()).sum();
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
                Launch.tickmark(folder, "run collected.yaml --set idle=spin --no-noise --out run")
                        .runInTime(folder.resolve("run"));

        final JsonNode tail =
                ResultDocument.read(folder.resolve("run/result.json")).trial().path("tail");
        final List<JsonNode> collected = charges(tail, "collected garbage");
        assertThat(collected)
                .as(outcome.out() + outcome.err() + tail)
                .allMatch(charge -> charge.path("owner").asString().equals("system"))
                .allMatch(charge -> charge.path("evidence").asString().equals("dated"));
        // within a pause messages wait for half of it in the mean; where both roles pause, once;
        // what counts is above the median, which on a busy machine is itself a part of a pause
        final double medianNs = tail.path("medianNs").asDouble();
        double waitedNs = 0;
        for (final double pauseNs : pausesNs()) {
            final double aboveNs = Math.max(0, pauseNs - medianNs);
            waitedNs += aboveNs * RATE_PER_SECOND / 1e9 * aboveNs / 2;
        }
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
