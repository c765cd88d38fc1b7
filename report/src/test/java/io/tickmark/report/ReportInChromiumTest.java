package io.tickmark.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tickmark.kernel.result.Answer;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.lab.compare.CompareSettings;
import io.tickmark.lab.compare.Comparer;
import io.tickmark.lab.compare.Side;
import io.tickmark.report.compare.ComparePage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The first screens of the largest pages, in a real browser: what is looked for is in {@code
 * src/test/browser/report.mjs}, and what is shot for people in {@code pictures.mjs} beside it.
 */
class ReportInChromiumTest {
    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final long LONGEST_S = 580;
    private static final int TESTS = 40;

    @TempDir private Path folder;

    @BeforeAll
    static void needChromium() {
        assumeTrue(
                Files.exists(CHROMIUM),
                "the package chromium is not installed: nothing to look with");
    }

    @Test
    void shouldShowOnTheFirstScreenWhatThereIs() throws Exception {
        final Path comparison = comparison(SampleRun.in(folder, 500));
        look(ReportFiles.rewrite(folder), comparison, many(), answered(), allVoid(), noted());
    }

    /** For people, who see what no rule is broken by. */
    @Test
    void shouldBeShotInEveryFormThatItHas() throws Exception {
        final Path comparison = comparison(SampleRun.in(folder, 500));
        final Path pictures = Files.createDirectory(folder.resolve("pictures"));

        browse("pictures.mjs", ReportFiles.rewrite(folder), comparison, pictures);

        final byte[] light = Files.readAllBytes(pictures.resolve("report.png"));
        for (final String form : List.of("dark", "phone", "card", "paper")) {
            assertThat(Files.readAllBytes(pictures.resolve("report-" + form + ".png")))
                    .as(form)
                    .isNotEmpty()
                    .isNotEqualTo(light);
        }
        assertThat(pictures.resolve("report-paper.pdf")).isNotEmptyFile();
        assertThat(pictures.resolve("comparison.png")).isNotEmptyFile();
    }

    /** Of a run with itself. */
    private Path comparison(final RunResult run) throws Exception {
        final Side first = new Side("A", folder, run, Optional.of(folder));
        final Side other = new Side("B", folder, run, Optional.of(folder));
        return Files.writeString(
                folder.resolve("comparison.html"),
                ComparePage.of(
                        new Comparer(CompareSettings.DEFAULT, "0.1.0")
                                .compare(first, List.of(other)),
                        List.of(first, other)));
    }

    private Path allVoid() throws Exception {
        final List<TrialResult> rows = new ArrayList<>();
        for (final String channel : List.of("shm:", "udp://127.0.0.1:0", "tcp://127.0.0.1:0")) {
            rows.add(
                    Trials.openLoop()
                            .channel(channel)
                            .verdict(Verdict.VOID, "A role was lost.")
                            .row());
        }
        final Path allVoid = Files.createDirectory(folder.resolve("void"));
        ReportFiles.write(allVoid, Trials.run(rows, List.of()));
        return allVoid.resolve("report.html");
    }

    /** The only test is open, and has the list of its slowest messages. */
    private Path noted() throws Exception {
        final Path noted = Files.createDirectory(folder.resolve("noted"));
        NotedMessages.in(noted, "shm:");
        ReportFiles.write(noted, Trials.run(NotedMessages.row("shm:")));
        return noted.resolve("report.html");
    }

    /** As of {@code quick}, whose picture the README has. */
    private Path answered() throws Exception {
        final List<TrialResult> rows = new ArrayList<>();
        for (final String channel : List.of("shm:", "udp://127.0.0.1:0", "tcp://127.0.0.1:0")) {
            rows.add(Trials.openLoop().test("floor").channel(channel).row());
        }
        final RunResult run =
                Trials.run(rows, List.of())
                        .with(
                                new Answer(
                                        "This machine: good to 1.00 ms at 99.9 %.",
                                        Map.of(),
                                        List.of(
                                                new Answer.Note(
                                                        "This machine",
                                                        List.of("One.", "Two.", "Three.", "Four.")),
                                                new Answer.Note(
                                                        "Cost of each machine setting to a 10.0 us message, largest first",
                                                        List.of("One.", "Two.", "Three.")))));
        final Path answered = Files.createDirectory(folder.resolve("answered"));
        ReportFiles.write(answered, run);
        return answered.resolve("report.html");
    }

    /** More tests than fit, each of which failed for a reason of its own. */
    private Path many() throws Exception {
        final List<TrialResult> rows = new ArrayList<>();
        for (int test = 1; test <= TESTS; test++) {
            rows.add(
                    Trials.openLoop()
                            .test("test-" + test)
                            .labels("noisy", "disturbed")
                            .verdict(
                                    Verdict.FAIL,
                                    "Lost %d of 10,000 messages expected by %s, which is more than the plan allows."
                                            .formatted(test, Character.toString('A' + test)))
                            .row());
        }
        final Path many = Files.createDirectory(folder.resolve("many"));
        ReportFiles.write(many, Trials.run(rows, List.of()));
        return many.resolve("report.html");
    }

    private void look(final Path... pages) throws Exception {
        browse("report.mjs", pages);
    }

    private void browse(final String script, final Path... paths) throws Exception {
        final List<String> command = new ArrayList<>(List.of("node", "src/test/browser/" + script));
        for (final Path path : paths) {
            command.add(path.toString());
        }
        final Path log = folder.resolve("browser.log");
        final Process node =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        try {
            final boolean ended = node.waitFor(LONGEST_S, TimeUnit.SECONDS);
            assertThat(ended).as("ended in time: " + Files.readString(log)).isTrue();
            assertThat(node.exitValue()).as(Files.readString(log)).isZero();
        } finally {
            node.descendants().forEach(ProcessHandle::destroyForcibly);
            node.destroyForcibly();
        }
    }
}
