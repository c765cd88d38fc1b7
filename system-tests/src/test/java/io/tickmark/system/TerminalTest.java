package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is printed where: on terminals small and plain, into pipes, and when asked to be quiet. */
class TerminalTest {
    private static final String SHORT =
            "stream --channel null: --messages 500 --jvm-warm-up 0 --no-noise";
    private static final String ESCAPE = "\u001b[";
    private static final int NARROW = 20;

    @TempDir private Path folder;

    @Test
    void shouldPrintNoEscapesIntoAPipe() {
        final Launch.Outcome outcome = Launch.tickmark(folder, SHORT).run();
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out() + outcome.err()).doesNotContain(ESCAPE, "\r");
        assertThat(outcome.out()).contains("actual_sends=500", "Passed.", "Report: results/");
        assertThat(outcome.errLines()).first().asString().matches("tickmark: 1 trial, about .*");
        assertThat(folder.resolve("results")).isNotEmptyDirectory();
    }

    /** The launcher is called by a link, from a folder whose name has a space. */
    @Test
    void shouldSayOnlyTheVerdictWhenQuietFromAnyFolderThroughASymbolicLink() throws IOException {
        final Path elsewhere = Files.createDirectory(folder.resolve("else where"));
        final Path link =
                Files.createSymbolicLink(folder.resolve("a link"), Launch.ROOT.resolve("tickmark"));
        final Launch.Outcome outcome =
                Launch.of(link, (SHORT + " --quiet --out a/b").split(" "))
                        .with("JAVA_HOME", System.getProperty("java.home"))
                        .with("TICKMARK_BUILD", "never")
                        .in(elsewhere)
                        .run();
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out()).contains("Passed.").doesNotContain("-----", "actual_sends");
        assertThat(elsewhere.resolve("a/b/report.html")).isNotEmptyFile();
        assertThat(elsewhere.resolve("results")).doesNotExist();
    }

    @Test
    void shouldFitATerminalOfTwentyColumns() {
        final Launch.Outcome outcome = onTerminal(NARROW, SHORT, "NO_COLOR", "1");
        assertThat(outcome.exitCode()).as(outcome.out()).isZero();
        assertThat(outcome.out()).contains("Passed.").doesNotContain(ESCAPE + "1", ESCAPE + "3");
        assertThat(outcome.out().lines().map(TerminalTest::visible))
                .filteredOn(TerminalTest::isProse)
                .isNotEmpty()
                .allMatch(line -> line.length() <= NARROW);
    }

    /** Not a row of a table, the line of figures, or a path, which are not to be broken. */
    private static boolean isProse(final String line) {
        return line.matches("\\S+( \\S+)+")
                && !line.matches("-[- ]+|actual_sends=.*|Report: .*|Tables: .*");
    }

    @Test
    void shouldFitHelpOntoATerminalOfTwentyColumns() {
        final Launch.Outcome outcome = onTerminal(NARROW, "--help", "NO_COLOR", "1");
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out()).contains("calibrate").doesNotContain(ESCAPE);
    }

    @Test
    void shouldColourTheVerdictOnATerminalThatCan() {
        final Launch.Outcome outcome = onTerminal(100, SHORT, "NO_COLOR", "");
        assertThat(outcome.exitCode()).as(outcome.out()).isZero();
        assertThat(outcome.out()).containsPattern("\u001b\\[[0-9;]*mPassed\\.");
    }

    /** What stays on the screen: the progress bar writes over itself and goes. */
    private static String visible(final String line) {
        return line.substring(line.lastIndexOf('\r') + 1)
                .replaceAll("\u001b\\[[0-9;]*[A-Za-z]", "");
    }

    /** A pseudo-terminal of that width, standard output and error on it. */
    private Launch.Outcome onTerminal(
            final int columns, final String line, final String name, final String value) {
        final String script =
                "stty cols %d; '%s' %s".formatted(columns, Launch.ROOT.resolve("tickmark"), line);
        return Launch.of(Path.of("/usr/bin/script"), "-qec", script, "/dev/null")
                .with("JAVA_HOME", System.getProperty("java.home"))
                .with("TICKMARK_BUILD", "never")
                .with("TERM", "xterm")
                .with(name, value)
                .in(folder)
                .run();
    }
}
