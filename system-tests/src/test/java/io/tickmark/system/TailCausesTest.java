package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tickmark.kernel.host.Affinity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** A run whose tail has a cause that is known, because the test made it. */
class TailCausesTest {
    private static final int STOPS = 5;

    /** Of what ran instead, the longest first. */
    private static final int MOST_NAMES = 10;

    private static final double STOP_NS = 25e6;
    private static final double RATE_PER_SECOND = 5_000;
    private static final long PATIENCE_S = 60L * Launch.PATIENCE;

    /** Of runs, where the kernel lost records on a busy machine. */
    private static final int MOST_TRIES = 3;

    /** How long the run is whose core strangers have. */
    private static final long MEASURED_NS = TimeUnit.SECONDS.toNanos(6);

    private static final double STOPPED_SECONDS = 0.4;

    /** Of what a cause with a date is known to have delayed. */
    private static final double TO_THE_RIGHT_OWNER = 0.95;

    /** Prints how long each stop lasted: the clock of Python's monotonic time is ours. */
    private static final String STOPPING =
            """
            import os, signal, sys, time
            roles = [int(pid) for pid in sys.argv[1:]]
            def tell(which):
                for pid in roles:
                    os.kill(pid, which)
            def is_stopped(pid):
                for thread in os.listdir(f'/proc/{pid}/task'):
                    with open(f'/proc/{pid}/task/{thread}/stat') as stat:
                        if stat.read().rpartition(')')[2].split()[0] != 'T':
                            return False
                return True
            for stop in range(%d):
                tell(signal.SIGSTOP)
                while not all(is_stopped(pid) for pid in roles):
                    time.sleep(0.0005)
                began = time.monotonic_ns()
                time.sleep(%s)
                print(time.monotonic_ns() - began)
                tell(signal.SIGCONT)
                time.sleep(0.2)
            """
                    .formatted(STOPS, STOP_NS / 1e9);

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

    /**
     * Stops them again and again, all at once.
     *
     * @return how long all of them stood each time, ns; from when the kernel says of every thread
     *     that it is stopped, however long a busy machine took for that
     */
    private List<Double> stop(final List<Long> pids) throws Exception {
        final Path stops = folder.resolve("stops");
        final Process stopping =
                new ProcessBuilder(
                                Stream.concat(
                                                Stream.of("python3", "-c", STOPPING),
                                                pids.stream().map(String::valueOf))
                                        .toList())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .redirectOutput(stops.toFile())
                        .start();
        assertThat(stopping.waitFor(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
        assertThat(stopping.exitValue()).isZero();
        final List<Double> lengthsNs =
                Files.readAllLines(stops).stream().map(Double::valueOf).toList();
        assertThat(lengthsNs).hasSize(STOPS).allMatch(ns -> ns >= STOP_NS);
        return lengthsNs;
    }

    /**
     * What messages took above the median that were due while their threads stood: each waits for
     * the rest of that time.
     */
    private static double waitedNs(final List<Double> stoodNs, final double medianNs) {
        return stoodNs.stream()
                .mapToDouble(ns -> Math.max(0, ns - medianNs))
                .map(aboveNs -> aboveNs * RATE_PER_SECOND / 1e9 * aboveNs / 2)
                .sum();
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
     * A thread that spins misses all of a stop, one that sleeps what is left of it when it is due,
     * and one that parks for microseconds nearly all.
     */
    @ParameterizedTest
    @ValueSource(strings = {"spin", "adaptive", "park"})
    void shouldChargeTheTailToWhoeverStoppedTheRoles(final String idle) throws Exception {
        final Path run = folder.resolve("run");
        final Launch.Outcome outcome;
        final List<Double> stoppedNs;
        try (Job job =
                Job.start(
                        Launch.tickmark(
                                folder,
                                "latency --channel shm: --sizes 64 --rate 5000 --warm-up 500ms --duration 10s"
                                        + " --no-noise --no-history --out run --idle "
                                        + idle),
                        folder)) {
            job.awaitReceived(run);
            stoppedNs = stop(job.roles().stream().map(ProcessHandle::pid).toList());
            outcome = job.await();
        }

        final JsonNode tail = ResultDocument.read(run.resolve("result.json")).trial().path("tail");
        assertThat(tail.path("threads").size()).as(outcome.err() + tail).isEqualTo(2);
        final List<JsonNode> stopped = charges(tail, "stopped");
        assertThat(stopped)
                .as(tail.toString())
                .allMatch(charge -> charge.path("owner").asString().equals("machine"))
                .allMatch(charge -> charge.path("evidence").asString().equals("dated"));
        final double waitedNs = waitedNs(stoppedNs, tail.path("medianNs").asDouble());
        assertThat(ns(stopped))
                .as(waitedNs + " ns, " + tail)
                .isGreaterThan(TO_THE_RIGHT_OWNER * waitedNs);
        assertAddsUp(tail);
        assertThat(outcome.out()).contains("Where the latency above the median comes from");
        // what stood longest of all on a busy machine is not for this test to say
        assertThat(onOneLine(Launch.here("why " + run)))
                .contains("latency on shm:, 64 bytes: median")
                .containsPattern("was stalled for .*: .* \\((dated|apportioned|inferred)\\)");
        assertThat(Launch.here("why " + run + " --test other"))
                .satisfies(other -> {
                    assertThat(other.exitCode()).isEqualTo(2);
                    assertThat(other.err()).contains("--test other", "it has latency");
                });
    }

    /** What the plan itself stops is what the test is about, and no disturbance by the machine. */
    @Test
    void shouldChargeAStopThatIsThePlansOwnToTheBench() throws Exception {
        Files.writeString(
                folder.resolve("planned.yaml"),
                """
                schema: tickmark.plan/1
                name: planned
                tests:
                  - name: t
                    workload: latency
                    channels: ["udp://127.0.0.1:0"]
                    settings: {sizes: 64, rate: 2000, warmUp: 1s, duration: 10s}
                    roles:
                      - {role: latency-pub}
                      - {role: latency-sub}
                    faults:
                      - {role: latency-sub, at: 8s, do: stop}
                      - {role: latency-sub, at: 8400ms, do: continue}
                """);
        final Path run = folder.resolve("run");

        Launch.Outcome outcome =
                Launch.here(folder, "run planned.yaml --no-noise --no-history --out run");
        for (int tries = 1;
                tries < MOST_TRIES && (stoodMs(run) < 200 || isTakenRatherThanStopped(run));
                tries++) {
            Files.move(run, folder.resolve("hardly-stopped-" + tries));
            outcome = Launch.here(folder, "run planned.yaml --no-noise --no-history --out run");
        }

        final JsonNode tail = ResultDocument.read(run.resolve("result.json")).trial().path("tail");
        final List<JsonNode> planned = charges(tail, "a planned fault stopped the process");
        assertThat(planned)
                .as(outcome.err() + tail)
                .allMatch(charge -> charge.path("owner").asString().equals("bench"))
                .allMatch(charge -> charge.path("evidence").asString().equals("dated"));
        // a tenth of what it delayed: while other tests have the cores, these delay the same pings
        assertThat(ns(planned))
                .as(tail.toString())
                .isGreaterThan(2_000 * STOPPED_SECONDS * STOPPED_SECONDS / 2 * 1e9 / 10);
        assertThat(charges(tail, "stopped by a signal")).as(tail.toString()).isEmpty();
        assertThat(onOneLine(Launch.here("why " + run)))
                .as("by the files alone")
                .contains("a planned fault stopped the process");
        shouldSayTheSameOfThePackedRun(run);
    }

    /** Its files are in an archive, where they cannot be mapped: a page of it could not be made. */
    private void shouldSayTheSameOfThePackedRun(final Path run) {
        final Path zip = folder.resolve("run.zip");
        assertThat(Launch.here("report %s --zip %s".formatted(run, zip)).exitCode()).isZero();

        assertThat(Launch.here("why " + zip)).isEqualTo(Launch.here("why " + run));
        final Path page = folder.resolve("packed.html");
        final Launch.Outcome compared =
                Launch.here("compare %1$s %1$s --html %2$s".formatted(zip, page));
        assertThat(page).as(compared.err()).isNotEmptyFile();
    }

    /** The machine delayed more than the stop of 0.4 s could: it had the threads before that. */
    private static boolean isTakenRatherThanStopped(final Path run) throws IOException {
        final JsonNode tail = ResultDocument.read(run.resolve("result.json")).trial().path("tail");
        return ns(charges(tail, "another task ran on the core"))
                > 2_000 * STOPPED_SECONDS * STOPPED_SECONDS / 2 * 1e9;
    }

    /** Between the two signals: both come late, and together, where the whole machine stood. */
    private static long stoodMs(final Path run) throws IOException {
        final String faults =
                ResultDocument.read(run.resolve("result.json"))
                        .trial()
                        .at("/roles/1/metrics/faults")
                        .asString();
        assertThat(faults).matches("suspended at \\d+m?s; resumed at \\d+m?s");
        return RunPlanTest.ms(faults, "resumed at ") - RunPlanTest.ms(faults, "suspended at ");
    }

    /**
     * Python loops on every core beside a stream: what had the cores is known by name, the tail of
     * a stream is charged like that of round trips, and charges and rest are all of it. The loops
     * run before the stream begins, so that none comes too late on a busy machine.
     */
    @Test
    void shouldNameWhatHadTheCoresOfAStreamsThreads() throws Exception {
        final Path run = folder.resolve("run");
        JsonNode tail = tailOfAStreamBesideLoops(run);
        for (int tries = 1; tries < MOST_TRIES && !lacks(tail).isEmpty(); tries++) {
            Files.move(run, folder.resolve("incomplete-" + tries));
            tail = tailOfAStreamBesideLoops(run);
        }
        final List<String> lacks = lacks(tail);
        if (!lacks.isEmpty()) {
            // no right to look at the cores, or a machine so busy that the kernel lost records: the
            // run says so, and charges nobody by name
            assertThat(lacks).as("each with its reason").noneMatch(each -> each.endsWith(": ."));
            assertThat(Files.readString(run.resolve("summary.txt")).replaceAll("\\s+", " "))
                    .contains(lacks);
            return;
        }
        assertThat(charges(tail, "another task ran on the core"))
                .as(tail.toString())
                .anyMatch(charge ->
                        charge.path("evidence").asString().equals("dated")
                                && charge.path("owner").asString().equals("machine"));
        assertThat(lines(run, "stream"))
                .as("what each role noted")
                .anyMatch(line -> line.contains(":python3="));
        final List<String> names =
                tail.path("ranInstead")
                        .valueStream()
                        .map(ran -> ran.path("name").asString())
                        .toList();
        assertThat(names.contains("python3") || names.size() > MOST_NAMES)
                .as("others may have had the cores for longer: %s", tail)
                .isTrue();
        assertThat(Launch.here("why " + run).out()).contains("stream on shm:, 64 bytes: median");
        assertThat(run.resolve("summary.txt"))
                .content()
                .contains("What ran while watched threads were stalled", names.getFirst());
    }

    private static String onOneLine(final Launch.Outcome outcome) {
        return outcome.out().replaceAll("\\s+", " ");
    }

    private JsonNode tailOfAStreamBesideLoops(final Path run) throws IOException {
        final Launch.Outcome outcome;
        final List<Process> loops = new ArrayList<>();
        try {
            for (final int core : Affinity.allowedCores()) {
                loops.add(loop(core));
            }
            outcome =
                    Launch.tickmark(
                                    folder,
                                    "stream --channel shm: --payload-bytes 64 --rate 5000 --jvm-warm-up 500ms --duration 3s"
                                            + " --idle spin --explain --no-noise --no-history --out "
                                            + run)
                            .run();
        } finally {
            loops.forEach(Process::destroy);
        }
        final JsonNode tail = ResultDocument.read(run.resolve("result.json")).trial().path("tail");
        assertThat(tail.path("threads").valueStream().map(each -> each.path("role").asString()))
                .as(outcome.err() + tail)
                .containsExactlyInAnyOrder("stream-pub", "stream-sub");
        assertAddsUp(tail);
        return tail;
    }

    /** What the run has to say where it is not known what ran instead of a thread. */
    private static List<String> lacks(final JsonNode tail) {
        return Stream.concat(
                        tail.path("notTraced")
                                .valueStream()
                                .filter(each -> each.path("what").asString().equals("ran_instead"))
                                .map(each ->
                                        "--explain is incomplete: what ran instead cannot be seen: %s."
                                                .formatted(each.path("why").asString())),
                        tail.path("notWatched")
                                .valueStream()
                                .map(JsonNode::asString)
                                .filter(sentence ->
                                        sentence.matches(".*(not dated|no timestamps).*")))
                .toList();
    }

    /** A loop in Python that has begun, on one core. */
    private static Process loop(final int core) throws IOException {
        final Process loop =
                new ProcessBuilder(
                                "timeout",
                                String.valueOf(PATIENCE_S),
                                "taskset",
                                "-c",
                                String.valueOf(core),
                                "python3",
                                "-c",
                                "print(flush=True)\nwhile True: pass")
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        assertThat(loop.getInputStream().read()).as("what it prints first").isEqualTo('\n');
        return loop;
    }

    /** What loops have had of their cores so far, by the ids of their processes. */
    private static long cpuNs(final List<Long> loops) {
        return loops.stream()
                .mapToLong(loop -> {
                    try {
                        final String stat =
                                Files.readString(Path.of("/proc/%d/schedstat".formatted(loop)));
                        return Long.parseLong(stat.substring(0, stat.indexOf(' ')));
                    } catch (final IOException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .sum();
    }

    /** A count by then, between two readings of it. */
    private static double at(final TreeMap<Long, Long> readings, final long ns) {
        final Map.Entry<Long, Long> before = readings.floorEntry(ns);
        final Map.Entry<Long, Long> after = readings.ceilingEntry(ns);
        if (before == null || after == null || before.equals(after)) {
            return (before == null ? after : before).getValue();
        }
        final double part = (double) (ns - before.getKey()) / (after.getKey() - before.getKey());
        return before.getValue() + part * (after.getValue() - before.getValue());
    }

    /** When the watch of a publisher of pings ended. */
    private static long overNs(final Path run) throws IOException {
        return lines(run, "latency-pub").stream()
                .filter(line -> line.startsWith("ran,"))
                .mapToLong(line -> Long.parseLong(line.split(",")[3]))
                .max()
                .orElseThrow();
    }

    /** The lines of roles whose folders have that in their name about their threads. */
    private static List<String> lines(final Path run, final String name) throws IOException {
        final List<String> lines = new ArrayList<>();
        try (Stream<Path> roles = Files.list(run.resolve("roles"))) {
            for (final Path role :
                    roles.filter(each -> each.getFileName().toString().contains(name)).toList()) {
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
        final JsonNode stages =
                stagesWithAStoppedSubscriber("stream", "payloadBytes: 64, jvmWarmUp: 500ms");

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
        final JsonNode stages = stagesWithAStoppedSubscriber("latency", "sizes: 64, warmUp: 500ms");

        final double waitedNs = STOPS * STOP_NS * 2_000 / 1e9 * STOP_NS / 2;
        assertThat(sum(stages, "/atEcho/untilTakenNs"))
                .as(stages.toString())
                .isGreaterThan(waitedNs / 2);
        // of all pings together: a few us of each, on a busy machine too
        assertThat(sum(stages, "/atEcho/toEchoNs") + sum(stages, "/atEcho/fromEchoNs"))
                .as(stages.toString())
                .isLessThan(waitedNs / 5);
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
                    settings: {%2$s, rate: 2000, duration: 10s}
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
                                folder,
                                "run stopped.yaml --repeats 1 --no-noise --no-history --out run"),
                        folder)) {
            job.awaitReceived(run);
            final List<Long> subscribers =
                    job.roles().stream()
                            .filter(role ->
                                    role.info().commandLine().orElse("").contains("is.subscriber"))
                            .map(ProcessHandle::pid)
                            .toList();
            assertThat(subscribers).hasSize(1);
            stop(subscribers);
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
                                            "latency --channel shm: --sizes 64 --rate 5000 --warm-up 500ms --duration 8s"
                                                    + " --idle spin --no-noise --no-history --out run")
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
        final JsonNode trial = ResultDocument.read(run.resolve("result.json")).trial();
        final JsonNode tail = trial.path("tail");
        // each of the two had a tenth of the time at most, from when the quota held on
        assertThat(trial.path("verdict").asString()).as(tail.toString()).isEqualTo("void");
        assertThat(trial.path("reasons").path(0).asString())
                .contains("Other tasks or the hypervisor used the core of", "at most 20.0 %");
        assertThat(outcome.exitCode()).isEqualTo(1);
        final List<JsonNode> quotas = charges(tail, "a quota of its control group");
        assertThat(quotas)
                .as(tail.toString())
                .allMatch(charge -> charge.path("owner").asString().equals("machine"))
                .allMatch(charge -> charge.path("evidence").asString().equals("apportioned"));
        // the quota is of all threads together, so that each time is a few ms at least
        assertThat(ns(quotas))
                .as(outcome.err() + throttled + " times, " + tail)
                .isPositive()
                .isGreaterThan(throttled * 2e6 * RATE_PER_SECOND / 1e9 * 2e6 / 2 / 2);
        assertAddsUp(tail);
    }

    /**
     * Three loops on the publisher's core leave it a quarter of the time: nothing can be concluded,
     * and the reason says what to do. With a limit of its own the same run is judged. What the
     * loops ran on that core is what the publisher was kept from it.
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
                    settings: {sizes: 64, rate: 1000, warmUp: 500ms, duration: 6s, idle: spin}
                    criteria: {maxTakenPart: %s, minRateHeldPart: 0}
                    roles:
                      - {role: latency-pub, cores: [%d]}
                      - {role: latency-sub, cores: [%d]}
                """
                        .formatted(most, core, other));
        final Path run = folder.resolve("run");
        final TreeMap<Long, Long> cpuNs = new TreeMap<>();
        Launch.Outcome outcome = besideStrangers(core, run, cpuNs);
        for (int tries = 1; tries < MOST_TRIES && isNotDated(run); tries++) {
            Files.move(run, folder.resolve("incomplete-" + tries));
            outcome = besideStrangers(core, run, cpuNs);
        }

        final JsonNode trial = ResultDocument.read(run.resolve("result.json")).trial();
        final JsonNode tail = trial.path("tail");
        final double taken =
                tail.path("threads")
                        .valueStream()
                        .mapToDouble(thread -> thread.path("takenPart").asDouble())
                        .max()
                        .orElseThrow();
        if (isNotDated(run)) {
            // the kernel lost records on a busy machine: that others had the core is counted all
            // the same
            assertThat(tail.path("threads").valueStream())
                    .as(tail.toString())
                    .anyMatch(thread ->
                            thread.path("takenPart").asDouble()
                                            + thread.path("unattributedPart").asDouble()
                                    > 0.2);
            if (most.equals("0.2")) {
                // where it is not known that all of them were strangers, a sentence says so
                assertThat(trial.path("reasons").toString())
                        .contains(
                                taken > 0.2
                                        ? "Other tasks or the hypervisor used the core of"
                                        : "whether that was one of the test's own cannot be told");
                if (taken > 0.2) {
                    assertThat(trial.path("verdict").asString()).isEqualTo("void");
                }
            }
            return;
        }
        assertThat(taken).as(outcome.err() + tail).isGreaterThan(0.2);
        if (!tail.path("notTraced").toString().contains("ran_instead")
                && !tail.path("notWatched").toString().contains("records of its cores were lost")) {
            // pings last for 6 s, to the end of the publisher's watch
            final long overNs = overNs(run);
            final double ranNs = at(cpuNs, overNs) - at(cpuNs, overNs - MEASURED_NS);
            assertThat(taken)
                    .as(outcome.err() + tail)
                    .isGreaterThan(TO_THE_RIGHT_OWNER * ranNs / MEASURED_NS);
        }
        if (most.equals("1")) {
            assertThat(trial.path("reasons").toString()).doesNotContain("used the core of");
            return;
        }
        assertThat(trial.path("verdict").asString()).isEqualTo("void");
        assertThat(trial.path("reasons").path(0).asString())
                .contains(
                        "Other tasks or the hypervisor used the core of",
                        "at most 20.0 %",
                        "End what runs beside");
        assertThat(outcome.exitCode()).isEqualTo(1);
    }

    private static boolean isNotDated(final Path run) throws IOException {
        return ResultDocument.read(run.resolve("result.json"))
                .trial()
                .at("/tail/notWatched")
                .toString()
                .matches(".*(not dated|no timestamps).*");
    }

    /**
     * Runs the plan, and three loops on a core as soon as messages pass.
     *
     * @param cpuNs what the loops had of the core, by the time
     */
    private Launch.Outcome besideStrangers(
            final int core, final Path run, final TreeMap<Long, Long> cpuNs) throws Exception {
        cpuNs.clear();
        final List<Process> loops = new ArrayList<>();
        try (Job job =
                Job.start(
                        Launch.tickmark(
                                        folder,
                                        "run taken.yaml --repeats 1 --no-noise --no-history --explain --out run")
                                .with(TAKEN, ""),
                        folder)) {
            job.awaitReceived(run);
            cpuNs.put(System.nanoTime(), 0L);
            for (int loop = 0; loop < 3; loop++) {
                loops.add(loop(core));
            }
            // found once: to look for them is work, too
            final List<Long> pids =
                    loops.stream().flatMap(Process::descendants).map(ProcessHandle::pid).toList();
            assertThat(pids).hasSameSizeAs(loops);
            Job.await(
                    "the end of the run",
                    () -> {
                        cpuNs.put(System.nanoTime(), cpuNs(pids));
                        return !job.isAlive();
                    });
            return job.await();
        } finally {
            loops.forEach(Process::destroy);
        }
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
                    settings: {sizes: 64, rate: 5000, warmUp: 500ms, duration: 6s}
                    roles:
                      - {role: latency-pub, jvm: {collector: g1, options: [%s]}}
                      - {role: latency-sub, jvm: {collector: g1, options: [%s]}}
                """
                        .formatted(options, options));
        final Launch.Outcome outcome =
                Launch.here(
                        folder,
                        "run collected.yaml --set idle=spin --no-noise --no-history --out run");

        final JsonNode tail =
                ResultDocument.read(folder.resolve("run/result.json")).trial().path("tail");
        final List<JsonNode> collected = charges(tail, "collected garbage");
        assertThat(collected)
                .as(outcome.out() + outcome.err() + tail)
                .allMatch(charge -> charge.path("owner").asString().equals("system"))
                .allMatch(charge -> charge.path("evidence").asString().equals("dated"));
        // where both roles pause, once; on a busy machine the median is itself a part of a pause
        final double waitedNs = waitedNs(pausesNs(), tail.path("medianNs").asDouble());
        assertThat(ns(collected))
                .as(waitedNs + " ns, " + tail)
                .isGreaterThan(TO_THE_RIGHT_OWNER * waitedNs);
        assertThat(onOneLine(Launch.here("why " + folder.resolve("run"))))
                .contains("t on shm:, 64 bytes: median")
                .containsPattern("was stalled for .*: .* \\((dated|apportioned|inferred)\\)");
    }

    /**
     * How long full collections of one or both roles lasted while messages passed,
     * "[12345ns][info][gc] GC(3) Pause Full (...) 9M->8M(512M) 7.1ms", logged at their end by one
     * clock. The pings last for 6 s, to the end of the publisher's watch.
     */
    private List<Double> pausesNs() throws IOException {
        final long overNs = overNs(folder.resolve("run"));
        final Pattern pause = Pattern.compile("\\[(\\d+)ns].* Pause Full .* ([0-9.]+)ms");
        final TreeMap<Double, Double> endsByStart = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (final Path log :
                    files.filter(file -> file.getFileName().toString().startsWith("gc-"))
                            .toList()) {
                for (final String line : Files.readAllLines(log)) {
                    final Matcher found = pause.matcher(line);
                    if (found.matches()) {
                        final double endNs = Double.parseDouble(found.group(1));
                        final double startNs = endNs - Double.parseDouble(found.group(2)) * 1e6;
                        if (startNs > overNs - 5e9 && endNs < overNs - 0.5e9) {
                            endsByStart.merge(startNs, endNs, Math::max);
                        }
                    }
                }
            }
        }
        assertThat(endsByStart).isNotEmpty();
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
