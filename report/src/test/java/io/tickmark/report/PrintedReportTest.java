package io.tickmark.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tickmark.kernel.result.RunResult;
import io.tickmark.lab.compare.CompareSettings;
import io.tickmark.lab.compare.Comparer;
import io.tickmark.lab.compare.Side;
import io.tickmark.report.compare.ComparePage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a browser prints of a report that nobody has clicked on. */
class PrintedReportTest {
    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final Pattern PAGE = Pattern.compile("/Type\\s*/Page\\b");
    private static final int MOST_PAGES = 6;
    private static final long LONGEST_S = 240;

    @TempDir private Path folder;

    @BeforeAll
    static void needChromium() {
        assumeTrue(
                Files.exists(CHROMIUM),
                "the package chromium is not installed: nothing to print with");
    }

    @Test
    void shouldPrintADefaultRunOnAFewPages() throws Exception {
        SampleRun.in(folder, 2_000);

        assertThat(pages(ReportFiles.rewrite(folder))).isBetween(1, MOST_PAGES);
    }

    @Test
    void shouldPrintAComparisonOfDefaultRunsOnAFewPages() throws Exception {
        final RunResult run = SampleRun.in(folder, 2_000);
        final Side first = new Side("A", folder, run, Optional.of(folder));
        final Side other = new Side("B", folder, run, Optional.of(folder));
        final Path page =
                Files.writeString(
                        folder.resolve("comparison.html"),
                        ComparePage.of(
                                new Comparer(CompareSettings.DEFAULT, "0.1.0")
                                        .compare(first, List.of(other)),
                                List.of(first, other)));

        assertThat(pages(page)).isBetween(1, MOST_PAGES);
    }

    /** A page that the printed file declares is an object of this type. */
    private int pages(final Path page) throws IOException, InterruptedException {
        final Path printed = folder.resolve("printed.pdf");
        final ProcessBuilder builder =
                new ProcessBuilder(
                                CHROMIUM.toString(),
                                "--headless",
                                "--no-sandbox",
                                "--disable-gpu",
                                "--user-data-dir=" + folder.resolve("profile"),
                                "--virtual-time-budget=10000",
                                "--print-to-pdf=" + printed,
                                page.toUri().toString())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("chromium.log").toFile());
        builder.environment().put("TMPDIR", folder.toString());
        final Process chromium = builder.start();
        try {
            assertThat(chromium.waitFor(LONGEST_S, TimeUnit.SECONDS)).as("ended in time").isTrue();
        } finally {
            chromium.descendants().forEach(ProcessHandle::destroyForcibly);
            chromium.destroyForcibly();
        }
        assertThat(printed).as(Files.readString(folder.resolve("chromium.log"))).exists();
        return (int)
                PAGE.matcher(Files.readString(printed, StandardCharsets.ISO_8859_1))
                        .results()
                        .count();
    }
}
