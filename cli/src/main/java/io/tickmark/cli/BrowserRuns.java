package io.tickmark.cli;

import io.tickmark.console.BrowserRow;
import io.tickmark.console.RowArchive;
import io.tickmark.kernel.host.Environment;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.lab.result.ResultFolder;
import io.tickmark.lab.result.ResultJson;
import io.tickmark.report.ReportFiles;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Rows that a page measured, as a result folder like any other. */
final class BrowserRuns implements RowArchive {
    private static final String NAME = "console";
    private static final double NS_PER_S = 1e9;

    private final Path results;

    BrowserRuns(final Path results) {
        this.results = results;
    }

    @Override
    public String write(final List<BrowserRow> rows) {
        final ResultFolder folder = ResultFolder.create(results, NAME, LocalDateTime.now());
        final List<TrialResult> trials = new ArrayList<>();
        for (final BrowserRow row : rows) {
            trials.add(trial(row, trials.size() + 1));
        }
        final Verdict verdict =
                trials.stream().map(TrialResult::verdict).reduce(Verdict.PASS, Verdict::worse);
        final RunResult run =
                new RunResult(
                        RunResult.SCHEMA,
                        Installation.version(),
                        RunResult.timeOf(OffsetDateTime.now()),
                        NAME,
                        verdict,
                        trials.stream().flatMap(trial -> trial.reasons().stream()).toList(),
                        trials,
                        List.of(),
                        List.of(),
                        null,
                        Environment.describe(folder.path(), new Installation().libraries()));
        folder.write(ResultFolder.RESULT, ResultJson.write(run));
        ReportFiles.write(folder.path(), run);
        return folder.path().toString();
    }

    private static TrialResult trial(final BrowserRow row, final int number) {
        final Map<String, Long> counts = new LinkedHashMap<>();
        final long sent = Math.round(row.feedPerSecond() * row.seconds());
        counts.put(Counts.SENT, sent);
        counts.put(Counts.EXPECTED, row.messages() + row.lost());
        counts.put(Counts.RECEIVED, row.messages());
        counts.put(Counts.LOST, row.lost());
        counts.put(Counts.NOT_POSITIVE, row.notPositive());
        final List<String> reasons =
                row.lost() == 0
                        ? List.of()
                        : List.of("%s: lost %d messages.".formatted(row.name(), row.lost()));
        return new TrialResult(
                "row-" + number,
                "browser",
                row.channel(),
                1,
                0,
                row.name(),
                row.messageBytes(),
                1,
                sent,
                row.messages() + row.lost(),
                row.messages(),
                row.lost(),
                0,
                0,
                counts,
                (long) (row.seconds() * NS_PER_S),
                row.askedPerSecond(),
                row.feedPerSecond(),
                0,
                0,
                Runtime.getRuntime().availableProcessors(),
                row.summary()
                        .map(latency -> Map.of(Latencies.RESPONSE_NS, latency))
                        .orElseGet(Map::of),
                null,
                null,
                List.of(),
                reasons.isEmpty() ? Verdict.PASS : Verdict.FAIL,
                reasons,
                List.of(new TrialResult.RoleSummary("browser", 1, row.figures(), List.of())));
    }
}
