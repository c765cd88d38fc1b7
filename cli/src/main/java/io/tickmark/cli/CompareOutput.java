package io.tickmark.cli;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.compare.Comparison;
import io.tickmark.lab.compare.Outcome;
import io.tickmark.lab.json.Json;
import io.tickmark.report.compare.CompareJunit;
import io.tickmark.report.compare.CompareMarkdown;
import io.tickmark.report.compare.ComparePage;
import io.tickmark.report.compare.CompareTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a comparison leaves behind.
 *
 * @param html file for the page with the picture of the intervals; empty for none
 * @param markdown file for the description of a pull request; empty for none
 * @param junit file for a build server; empty for none
 * @param json whether the comparison goes to standard output as JSON, and nothing else
 * @param quiet whether only the conclusion is said
 * @param strict whether a figure that is too noisy to tell ends with exit code 1
 */
record CompareOutput(
        @Setting(
                        help = "Write the page with the picture of the intervals to this file.",
                        label = "FILE")
                String html,
        @Setting(help = "Write Markdown for a pull request to this file.", label = "FILE")
                String markdown,
        @Setting(help = "Write JUnit XML for a build server to this file.", label = "FILE")
                String junit,
        @Setting(help = "Print the comparison as JSON to standard output, and nothing else.")
                boolean json,
        @Setting(help = "No tables; the conclusion only.") boolean quiet,
        @Setting(help = "Exit with 1 also where a figure is too noisy to tell.") boolean strict) {

    /**
     * Prints and writes.
     *
     * @param comparison to tell
     * @param terminal where to print
     * @return the process's exit code
     */
    int tell(final Comparison comparison, final Terminal terminal) {
        if (json) {
            terminal.out().print(Json.text(comparison));
        } else {
            final CompareTables tables =
                    new CompareTables(terminal.textColumns(), terminal.boldOut());
            terminal.out().print(quiet ? tables.conclusion(comparison) : tables.render(comparison));
        }
        terminal.out().flush();
        write(html, "--html", ComparePage.of(comparison));
        write(markdown, "--markdown", CompareMarkdown.of(comparison));
        write(junit, "--junit", CompareJunit.of(comparison));
        return exitCode(comparison);
    }

    private int exitCode(final Comparison comparison) {
        final boolean fails =
                comparison.count(Outcome.WORSE) > 0
                        || strict && comparison.count(Outcome.TOO_NOISY) > 0;
        return fails ? 1 : 0;
    }

    private static void write(final String file, final String option, final String text) {
        if (file.isEmpty()) {
            return;
        }
        try {
            Files.writeString(Path.of(file), text);
        } catch (final IOException e) {
            throw UserError.environment(
                    "%s: %s cannot be written (%s); name a file in a folder that is there."
                            .formatted(option, file, IoReason.of(e)),
                    e);
        }
    }
}
