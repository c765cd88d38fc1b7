package io.tickmark.transport.store;

import static io.tickmark.transport.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerProcessTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir Path folder;

    /** A JVM refuses two collectors. */
    @Test
    void shouldLetTheCollectorOfTheUserReplaceTheGivenOne() {
        final List<String> given = List.of("-Xmx64m", "-XX:+UseG1GC");

        assertThat(ServerProcess.flags(given, "-XX:+UseSerialGC  -Dx=y"))
                .containsExactly("-Xmx64m", "-XX:+UseSerialGC", "-Dx=y");
        assertThat(ServerProcess.flags(given, "-Dx=y"))
                .containsExactly("-Xmx64m", "-XX:+UseG1GC", "-Dx=y");
        assertThat(ServerProcess.flags(given, "")).isEqualTo(given);
    }

    @Test
    void shouldEndTheServerWhenItIsKilledOrStopped() {
        final ServerProcess killed = sleeper();
        assertThat(killed.isAlive()).isTrue();
        killed.kill();
        assertThat(killed.isAlive()).isFalse();
        assertThat(runs(killed.pid())).isFalse();

        final ServerProcess stopped = sleeper();
        stopped.stop(PATIENCE);
        assertThat(runs(stopped.pid())).isFalse();
    }

    @Test
    void shouldLeaveNoTemporaryFilesOfAServerThatIsKilledOrStopped() {
        final ServerProcess killed = start(unpacking());
        final Path ofKilled = unpacked(killed);
        killed.kill();
        assertThat(ofKilled).doesNotExist();
        assertThat(ofKilled.getParent()).doesNotExist();

        final ServerProcess stopped = start(unpacking());
        final Path ofStopped = unpacked(stopped);
        stopped.stop(PATIENCE);
        assertThat(ofStopped).doesNotExist();
        assertThat(ofStopped.getParent()).doesNotExist();
    }

    private static String[] unpacking() {
        return ServerProcess.java(List.of("-XX:TieredStopAtLevel=1"), Unpacking.class, List.of())
                .toArray(String[]::new);
    }

    private static Path unpacked(final ServerProcess server) {
        until("the server has unpacked", () -> server.lastWords(1).endsWith(Unpacking.ENDING));
        final Path library = Path.of(server.lastWords(1));
        assertThat(library).exists();
        return library;
    }

    /** A server whose library unpacks a part of itself. */
    static final class Unpacking {
        private static final String ENDING = ".so";

        private Unpacking() {}

        public static void main(final String[] args) throws Exception {
            System.out.println(Files.createTempFile("library", ENDING));
            Thread.sleep(Duration.ofMinutes(2));
        }
    }

    @Test
    void shouldKillAServerThatDoesNotStopWhenItIsAsked() {
        final ServerProcess stubborn =
                start("sh", "-c", "trap '' TERM; echo here; while :; do sleep 0.1; done");
        until("the server ignores signals", () -> stubborn.lastWords(1).equals("here"));

        stubborn.stop(Duration.ofMillis(100));

        assertThat(runs(stubborn.pid())).isFalse();
    }

    @Test
    void shouldNameTheSignalThatKilledAServer() {
        final ServerProcess killed = start("sleep", "1000");
        assertThat(killed.howEnded()).isEmpty();

        ProcessHandle.of(killed.pid()).orElseThrow().destroyForcibly();
        until("it has ended", () -> !killed.isAlive());

        assertThat(killed.howEnded()).contains("(killed by SIGKILL)");
        assertThat(killed.hasEndedByItself()).isTrue();
    }

    @Test
    void shouldReportWhatAServerSaidThatEndedByItself() {
        final ServerProcess ended = start("sh", "-c", "echo first; echo second >&2; exit 3");

        until("it has ended", () -> !ended.isAlive());

        assertThat(ended.lastWords(2)).isEqualTo("first second");
        assertThat(ended.howEnded())
                .contains("(exit status 3); the last line of its log is \"second\"");
        ended.close();
    }

    @Test
    void shouldKeepTheWordsThatMarkAComplaintAndLeaveOutItsLevelAndItsTime() {
        final ServerProcess complaining =
                start(
                        "sh",
                        "-c",
                        "echo '11:02 [ERR] limits exceeded'; echo \"11:03 # Can't write\"; echo '11:04 Error: no"
                                + " room'; echo '11:05 fine'");
        until("it has ended", () -> !complaining.isAlive());

        assertThat(complaining.complaints("[ERR]", 9)).containsExactly("limits exceeded");
        assertThat(complaining.complaints("# Can't", 9)).containsExactly("Can't write");
        assertThat(complaining.complaints("Error", 9)).containsExactly("Error: no room");
        complaining.close();
    }

    @Test
    void shouldSayHowManyComplaintsItDoesNotRepeat() {
        final ServerProcess complaining =
                start("sh", "-c", "for n in 1 2 3 1 4; do echo \"Error: $n\"; done");
        until("it has ended", () -> !complaining.isAlive());

        assertThat(complaining.complaints("Error", 4))
                .containsExactly("Error: 1", "Error: 2", "Error: 3", "Error: 4");
        assertThat(complaining.complaints("Error", 2))
                .hasSize(3)
                .startsWith("Error: 1", "Error: 2")
                .last()
                .asString()
                .startsWith("2 more lines like that in ");
        complaining.close();
    }

    @Test
    void shouldEndTheServerWhenThisProcessIsKilled() throws Exception {
        final Process parent =
                new ProcessBuilder(
                                ProcessHandle.current().info().command().orElse("java"),
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                ServerProcessTest.class.getName(),
                                folder.toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try {
            final long server = Long.parseLong(parent.inputReader().readLine());
            assertThat(runs(server)).isTrue();

            parent.destroyForcibly().waitFor();

            until("the server ends", () -> !runs(server));
        } finally {
            parent.destroyForcibly();
        }
    }

    public static void main(final String[] args) throws IOException {
        final ServerProcess server =
                ServerProcess.start(
                        List.of("sleep", "120"), Map.of(), Path.of(args[0]).resolve("log"));
        System.out.println(server.pid());
        System.in.read();
        Files.createFile(Path.of(args[0]).resolve("never"));
    }

    private ServerProcess sleeper() {
        return start("sleep", "120");
    }

    private ServerProcess start(final String... command) {
        return ServerProcess.start(List.of(command), Map.of(), folder.resolve("log"));
    }

    /** A process that has ended and was not waited for by its parent counts as ended. */
    private static boolean runs(final long pid) {
        try {
            final String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (final IOException e) {
            return false;
        }
    }
}
