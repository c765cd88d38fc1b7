package io.tickmark.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.result.IntervalLog;
import io.tickmark.lab.result.ResultFolder;
import io.tickmark.lab.result.ResultJson;
import io.tickmark.report.rows.RunCsv;
import io.tickmark.report.series.MeanLine;
import io.tickmark.report.series.StatsRow;
import io.tickmark.report.series.TimeLine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

final class DamagedFolderFuzzTest {
    @TempDir static Path folder;

    @FuzzTest(maxDuration = "1m")
    void shouldReadAnIntervalLogAsFarAsItIsWhole(final byte[] bytes) throws IOException {
        final Path file = Files.write(folder.resolve("latency.hlog"), bytes);
        final TimeLine line = new TimeLine();

        IntervalLog.read(file, line::add)
                .ifPresent(problem -> assertThat(problem).matches("(is|cannot) .*"));

        assertThat(line.points()).hasSizeLessThanOrEqualTo(TimeLine.MAX_POINTS);
    }

    @FuzzTest(maxDuration = "1m")
    void shouldReadStatisticsAsFarAsTheyAreWhole(final byte[] bytes) throws IOException {
        final Path file = Files.write(folder.resolve("stats.csv"), bytes);
        final MeanLine line = new MeanLine();

        StatsRow.read(
                file,
                row ->
                        line.add(
                                row.text("time"),
                                (long) row.number("sent").orElse(0),
                                row.number("seconds").orElse(0),
                                row.number("sentPerSecond").orElse(0)));

        assertThat(line.points()).hasSizeLessThanOrEqualTo(TimeLine.MAX_POINTS);
    }

    @FuzzTest(maxDuration = "1m")
    void shouldShowEveryResultThatCanBeRead(final byte[] bytes) throws IOException {
        final RunResult run;
        try {
            run = ResultJson.read(new String(bytes, StandardCharsets.UTF_8), "result.json");
        } catch (final UserError e) {
            return;
        }
        Files.write(folder.resolve(ResultFolder.RESULT), bytes);

        assertThat(new RunTables(RunTables.DEFAULT_WIDTH, true).render(run)).isNotEmpty();
        assertThat(RunCsv.of(run)).isNotEmpty();
        assertThat(ReportFiles.rewrite(folder)).isNotEmptyFile();
    }
}
