package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.cli.command.FrontDoor;
import io.tickmark.cli.output.Terminal;
import io.tickmark.lab.place.JvmFlags;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs that do not end by themselves: what was measured is kept, and nothing is left behind. */
@Execution(ExecutionMode.CONCURRENT)
@Order(5)
class InterruptionTest {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final String REST = " --jvm-warm-up 0 --no-noise --verbose";

    /** One that is long enough to be killed in, and one after it. */
    private static final String TWO_TESTS =
            """
            schema: tickmark.plan/1
            name: two
            noise: 0s
            tests:
              - name: killed
                workload: stream
                channels: ["%1$s"]
                settings: {rate: 1000, duration: 60s, jvmWarmUp: 0s}
                roles: [{role: stream-pub}, {role: stream-sub}]
              - name: after
                workload: stream
                channels: ["%1$s"]
                settings: {messages: 500, jvmWarmUp: 0s}
                roles: [{role: stream-pub}, {role: stream-sub}]
            """;

    /** One that is soon over, and one that is long enough to be killed in. */
    private static final String FIRST_SHORT =
            """
            schema: tickmark.plan/1
            name: two
            noise: 0s
            tests:
              - name: done
                workload: stream
                channels: ["%1$s"]
                settings: {messages: 500, rate: 200, jvmWarmUp: 0s}
                roles: [{role: stream-pub}, {role: stream-sub}]
                criteria: {minRateHeldPart: 0}
              - name: killed
                workload: stream
                channels: ["%1$s"]
                settings: {rate: 1000, duration: 60s, jvmWarmUp: 0s}
                roles: [{role: stream-pub}, {role: stream-sub}]
            """;

    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"shm", "aeron:ipc"})
    void shouldEndAllAndKeepWhatItHasOnCtrlC(final String kind) throws Exception {
        final String channel = kind.equals("shm") ? named() : kind;
        try (Job run =
                start("stream --channel " + channel + " --rate 1000 --duration 60s" + REST)) {
            final List<ProcessHandle> roles = awaitMeasuring(run);
            run.signal("INT", true);
            final Launch.Outcome outcome = run.await();
            assertThat(outcome.exitCode()).isEqualTo(1);
            assertThat(outcome.err())
                    .contains("tickmark: stopping; what was measured so far is kept.")
                    .doesNotContain("Exception");
            assertThat(outcome.out()).contains("Void.").containsOnlyOnce("interrupted");
            shouldLeaveNothing(run, roles);
        }
        final ResultDocument kept = ResultDocument.read(result("result.json"));
        assertThat(kept.text("verdict")).isEqualTo("void");
        assertThat(kept.reasons()).first().asString().isEqualTo("The run was interrupted.");
        assertThat(kept.trial().path("received").asLong()).isPositive();
        assertThat(result("report.html")).isNotEmptyFile();
    }

    @Test
    void shouldStopOnAPoliteKill() throws Exception {
        try (Job run =
                start(
                        "stream --channel "
                                + named()
                                + " --rate 1000 --duration 60s --json"
                                + REST)) {
            // With --json it says nothing on the way: its roles are there, so it has begun.
            Job.await("two roles", () -> run.roles().size() == 2);
            final List<ProcessHandle> roles = run.roles();
            run.signal("TERM", false);
            final Launch.Outcome outcome = run.await();
            assertThat(outcome.exitCode()).isEqualTo(1);
            final ResultDocument result = ResultDocument.parse(outcome.out());
            assertThat(result.text("verdict")).isEqualTo("void");
            assertThat(ResultDocument.read(result("result.json"))).isEqualTo(result);
            shouldLeaveNothing(run, roles);
        }
    }

    /** The front door in the JVM of somebody else, such as that of tests. */
    static final class OthersJvm {
        private OthersJvm() {}

        public static void main(final String[] words) {
            new FrontDoor(Terminal.ofSystem()).run(words);
        }
    }

    /** The hook had waited for the end of a command that had never begun: the process's own. */
    @ParameterizedTest
    @ValueSource(
            strings = {"feed server --port 0", "fix gateway --producers-port 0 --consumers-port 0"})
    void shouldEndTheJvmOfOthersWithTheCommandThatRunsThere(final String line) throws Exception {
        final List<String> words =
                new ArrayList<>(
                        List.of(Path.of(System.getProperty("java.home"), "bin/java").toString()));
        words.addAll(JvmFlags.common());
        words.addAll(
                List.of(
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OthersJvm.class.getName()));
        words.addAll(List.of(line.split(" ")));
        try (Job door = Job.start(new Launch(words, folder, Map.of()), folder)) {
            Job.await(
                    "the role",
                    () -> !door.isAlive() || (door.err() + door.out()).contains("127.0.0.1:"));
            door.signal("TERM", false);
            assertThat(door.await().err())
                    .contains("tickmark: stopping; what was measured so far is kept.")
                    .doesNotContain("it did not stop in time");
        }
    }

    @Test
    void shouldGoOnAfterARoleWasKilled() throws Exception {
        Files.writeString(folder.resolve("two.yaml"), TWO_TESTS.formatted(named()));
        try (Job run = start("run two.yaml --verbose")) {
            final List<ProcessHandle> roles = awaitMeasuring(run);
            Job.signal("KILL", roles.getLast().pid());
            final Launch.Outcome outcome = run.await();
            assertThat(outcome.exitCode()).isEqualTo(1);
            assertThat(outcome.out()).contains("Void. 1 of 2 trials");
            shouldLeaveNothing(run, roles);
        }
        final ResultDocument result = ResultDocument.read(result("result.json"));
        assertThat(result.trials())
                .extracting(trial -> trial.path("verdict").asString())
                .containsExactly("void", "pass");
        assertThat(result.trials().getFirst().path("reasons").toString())
                .containsPattern("stream-(pub|sub)-1 .*137");
        assertThat(result.trials().getLast().path("received").asInt()).isEqualTo(500);
    }

    @Test
    void shouldLeaveNoRoleBehindWhenItIsKilledItself() throws Exception {
        try (Job run =
                start("stream --channel " + named() + " --rate 1000 --duration 60s" + REST)) {
            final List<ProcessHandle> roles = awaitMeasuring(run);
            run.signal("KILL", false);
            run.await();
            Job.await(
                    "the end of its roles", () -> roles.stream().noneMatch(ProcessHandle::isAlive));
            shouldLeaveNothing(run, roles);
        }
    }

    @Test
    void shouldKeepTheTrialsThatWereDoneWhenItIsKilledItself() throws Exception {
        Files.writeString(folder.resolve("two.yaml"), FIRST_SHORT.formatted(named()));
        try (Job run = start("run two.yaml --verbose")) {
            final List<ProcessHandle> roles = awaitMeasuring(run);
            Job.await("the first trial", () -> isFile("result.json"));
            run.signal("KILL", false);
            run.await();
            Job.await(
                    "the end of its roles", () -> roles.stream().noneMatch(ProcessHandle::isAlive));
        }
        final ResultDocument kept = ResultDocument.read(result("result.json"));
        assertThat(kept.text("verdict")).isEqualTo("void");
        assertThat(kept.reasons()).first().asString().startsWith("Partial: written after 1 of 2");
        assertThat(kept.trials()).hasSize(1);
        assertThat(kept.trial().path("verdict").asString()).isEqualTo("pass");

        final Launch.Outcome report = Launch.here("report " + result("result.json").getParent());
        assertThat(report.exitCode()).isZero();
        assertThat(report.err()).contains("Partial: written after 1 of 2 trials");
        assertThat(Files.readString(result("report.html"))).contains("Partial: written after 1");
    }

    private boolean isFile(final String name) {
        try {
            return Files.isRegularFile(result(name));
        } catch (final IOException e) {
            return false;
        }
    }

    @Test
    void shouldNotBlameWhoWasNotWaitedFor() throws Exception {
        try (Job publisher = start("latency pub --channel udp://127.0.0.1:0")) {
            publisher.awaitErr("Waiting for 1 receiver...");
            publisher.signal("INT", true);
            final Launch.Outcome outcome = publisher.await();
            assertThat(outcome.exitCode()).isEqualTo(1);
            assertThat(outcome.errLines())
                    .contains("tickmark: stopping; what was measured so far is kept.")
                    .last()
                    .asString()
                    .startsWith("tickmark: --subscribers 1: 0 of 1 subscribers connected to udp://")
                    .endsWith(" before it was stopped.");
            shouldLeaveNothing(publisher, List.of());
        }
    }

    @Test
    void shouldEndASideByHandOnCtrlC() throws Exception {
        final String channel = named();
        try (Job subscriber = start("stream sub --channel " + channel);
                Job publisher =
                        start(
                                "stream pub --verbose --rate 1000 --duration 60s --jvm-warm-up 0 --channel "
                                        + channel)) {
            publisher.awaitErr("{sent=");
            publisher.signal("INT", true);
            final Launch.Outcome sent = publisher.await();
            assertThat(sent.exitCode()).isEqualTo(1);
            assertThat(sent.out())
                    .contains("Void.")
                    .containsOnlyOnce("interrupted")
                    .doesNotContain("Passed");
            final Launch.Outcome received = subscriber.await();
            assertThat(received.err()).doesNotContain("Exception");
            assertThat(received.out()).contains("num_rx_msgs=");
            shouldLeaveNothing(publisher, List.of());
            shouldLeaveNothing(subscriber, List.of());
        }
    }

    private Job start(final String line) throws IOException {
        return Job.start(Launch.tickmark(folder, line).inForeground(), folder);
    }

    private static List<ProcessHandle> awaitMeasuring(final Job run) throws InterruptedException {
        final Pattern received = Pattern.compile("stream-sub-1 step 0 \\{received=[1-9]");
        Job.await("a message", () -> !run.isAlive() || received.matcher(run.err()).find());
        final List<ProcessHandle> roles = run.roles();
        assertThat(roles).hasSize(2);
        return roles;
    }

    /** A unique channel. */
    private String named() {
        return "shm://" + mark();
    }

    private String mark() {
        return "interruption-" + folder.getFileName();
    }

    private void shouldLeaveNothing(final Job run, final List<ProcessHandle> roles)
            throws IOException {
        assertThat(roles).noneMatch(ProcessHandle::isAlive);
        assertThat(run.session()).isEmpty();
        try (Stream<Path> files = Files.list(SHARED_MEMORY)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .noneMatch(name -> name.contains(mark()))
                    .noneMatch(name ->
                            roles.stream().anyMatch(role -> name.contains("-" + role.pid() + "-")));
        }
    }

    /** A file of the one result folder. */
    private Path result(final String name) throws IOException {
        try (Stream<Path> folders = Files.list(folder.resolve("results"))) {
            final List<Path> all =
                    folders.filter(Files::isDirectory).toList(); // the history is a file
            assertThat(all).hasSize(1);
            return all.getFirst().resolve(name);
        }
    }
}
