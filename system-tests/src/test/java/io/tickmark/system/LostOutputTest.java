package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is printed to a device without room is lost, as a script would not see: the shell and the
 * kernel's own {@code /dev/full} stand in for its full disk.
 */
class LostOutputTest {
    private static final String RUNS = Launch.ROOT.resolve("samples/worked-comparison").toString();
    private static final String QUICK =
            " --channel null: --sizes 64 --samples 100 --warm-up 50ms --ping-timeout 20s --no-noise"
                    + " --no-history --out ";

    /** One of each kind; that every {@code --help} is like the first is tested where it is made. */
    private static final List<String> COMMANDS =
            List.of(
                    "--help",
                    "--version",
                    "latency --help",
                    "plans",
                    "engines",
                    "doctor",
                    "report copy",
                    "compare " + RUNS + "/before " + RUNS + "/after",
                    "history --history h.db",
                    "latency" + QUICK + "text",
                    "latency" + QUICK + "quiet --quiet",
                    "latency" + QUICK + "json --json");

    /** Lines of all that run at once would take turns on two cores for nothing. */
    private static final int AT_ONCE = 3;

    @TempDir private Path folder;

    private Launch shell(final String line) {
        return Launch.of(Path.of("/bin/sh"), "-c", "exec '" + Launch.ROOT + "/tickmark' " + line)
                .with("JAVA_HOME", System.getProperty("java.home"))
                .with("TICKMARK_BUILD", "never")
                .with("TICKMARK_HISTORY", "")
                .in(folder);
    }

    @Test
    void shouldNotEndWellWhateverIsPrinted() throws Exception {
        assertThat(shell("history add " + RUNS + "/before --history h.db").run().exitCode())
                .isZero();
        final Path copy = Files.createDirectory(folder.resolve("copy"));
        Files.copy(Path.of(RUNS, "before", "result.json"), copy.resolve("result.json"));
        final Map<String, Job> running = new LinkedHashMap<>();
        final List<String> left = new ArrayList<>(COMMANDS);
        while (!left.isEmpty() || !running.isEmpty()) {
            while (!left.isEmpty() && running.size() < AT_ONCE) {
                final String line = left.removeFirst();
                running.put(line, Job.start(shell(line + " > /dev/full"), folder));
            }
            final String line = running.keySet().iterator().next();
            try (Job job = running.remove(line)) {
                final Launch.Outcome outcome = job.await();
                assertThat(outcome.exitCode()).as(line + "\n" + outcome.err()).isNotZero();
                assertThat(outcome.errLines())
                        .as(line)
                        .filteredOn(each -> each.contains("standard output"))
                        .singleElement()
                        .asString()
                        .startsWith(
                                "tickmark: cannot write to standard output (No space left on device)");
            }
        }
        assertThat(folder.resolve("json/result.json")).exists();
    }

    /** A reader that has seen enough is no failure, and what was measured is kept. */
    @Test
    void shouldEndAsUsualWhereThePipeIsClosed() throws IOException {
        final Launch.Outcome outcome =
                Launch.of(
                                Path.of("/bin/sh"),
                                "-c",
                                "{ '%s/tickmark' latency%spiped --json; echo exit $? >&2; } | true"
                                        .formatted(Launch.ROOT, QUICK))
                        .with("JAVA_HOME", System.getProperty("java.home"))
                        .with("TICKMARK_BUILD", "never")
                        .in(folder)
                        .run();
        assertThat(outcome.err()).isEqualTo("exit 0\n");
        assertThat(Files.readString(folder.resolve("piped/result.json"))).contains("\"pass\"");
    }
}
