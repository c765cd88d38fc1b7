package io.tickmark.cli.command;

import io.tickmark.cli.option.SettingOptions;
import io.tickmark.cli.output.Terminal;
import io.tickmark.cli.run.Installation;
import io.tickmark.console.BrowserRow;
import io.tickmark.console.ConsoleServer;
import io.tickmark.console.ConsoleSettings;
import io.tickmark.console.RowArchive;
import io.tickmark.console.RunSource;
import io.tickmark.kernel.host.Environment;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.lab.live.KeptRuns;
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
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code console}: serves the page until it is interrupted. */
final class ConsoleCommand implements Command {
    ConsoleCommand() {}

    private static SettingOptions options() {
        return new SettingOptions().add(SettingDescriptor.of(ConsoleSettings.class), Set.of());
    }

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description(
                        "Serves a page with a price feed, its latency and its limits, live, and one that shows runs in "
                                + "progress and replays finished ones: open the address that it prints in a browser. Ends "
                                + "with Ctrl-C.");
        options().addTo(spec);
        return spec;
    }

    @Override
    public String example() {
        return "./tickmark console --symbols 1000 --rate 10k --running";
    }

    @Override
    public int run(final ParseResult arguments, final Terminal terminal)
            throws InterruptedException {
        final ConsoleSettings settings =
                Settings.read(
                        ConsoleSettings.class,
                        options().values(arguments),
                        options().naming(arguments));
        final CountDownLatch ended = new CountDownLatch(1);
        final Path results = Path.of(settings.results());
        final ConsoleServer server =
                new ConsoleServer(
                        settings,
                        Installation.version(),
                        new BrowserRuns(results),
                        _ -> {},
                        new WatchedRuns(results));
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(
                                () -> {
                                    server.close();
                                    ended.countDown();
                                },
                                "console-end"));
        terminal.out().println(server.address());
        if (settings.isExposed()) {
            terminal.out()
                    .println(
                            "Other machines on the network can reach this console; anyone who knows the address above can use"
                                    + " it.");
        }
        terminal.out().flush();
        ended.await();
        return 0;
    }

    /** The runs of a folder of results, for the console. */
    private static final class WatchedRuns implements RunSource {
        private final KeptRuns runs;

        WatchedRuns(final Path results) {
            runs = new KeptRuns(results);
        }

        @Override
        public List<Entry> runs() {
            return runs.all().stream()
                    .map(run ->
                            new Entry(
                                    run.id(),
                                    run.plan(),
                                    run.startedAt(),
                                    run.state(),
                                    run.verdict(),
                                    run.isKept()))
                    .toList();
        }

        @Override
        public Optional<Part> lines(final String run, final long from) {
            return runs.part(run, from)
                    .map(part ->
                            new Part(part.lines(), part.damagedLines(), part.next(), part.state()));
        }
    }

    /** Rows that a page measured, as a result folder like any other. */
    static final class BrowserRuns implements RowArchive {
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
            final RunResult run =
                    RunResult.ofRows(
                            Installation.version(),
                            OffsetDateTime.now(),
                            NAME,
                            trials,
                            Environment.describe(folder.path(), new Installation().libraries()));
            folder.write(ResultFolder.RESULT, ResultJson.write(run));
            ReportFiles.write(folder.path(), run);
            return folder.path().toString();
        }

        private static TrialResult trial(final BrowserRow row, final int number) {
            final Map<String, Long> counts = new LinkedHashMap<>();
            row.feedPerSecond()
                    .ifPresent(made -> counts.put(Counts.SENT, Math.round(made * row.seconds())));
            counts.put(Counts.EXPECTED, row.messages() + row.lost());
            counts.put(Counts.RECEIVED, row.messages());
            counts.put(Counts.LOST, row.lost());
            counts.put(Counts.NOT_POSITIVE, row.notPositive());
            final List<String> reasons = new ArrayList<>();
            if (row.lost() > 0) {
                reasons.add("%s: lost %s.".formatted(row.name(), Plural.of(row.lost(), "message")));
            }
            row.notKeptUp().ifPresent(why -> reasons.add("%s: %s.".formatted(row.name(), why)));
            row.broken().forEach(each -> reasons.add("%s: %s.".formatted(row.name(), each)));
            final boolean isBroken = !reasons.isEmpty();
            row.notKnown().forEach(each -> reasons.add("%s: %s.".formatted(row.name(), each)));
            row.whyNotTimed().ifPresent(why -> reasons.add("%s: %s".formatted(row.name(), why)));
            final Verdict verdict =
                    isBroken ? Verdict.FAIL : reasons.isEmpty() ? Verdict.PASS : Verdict.VOID;
            return new TrialResult(
                    "row-" + number,
                    "browser",
                    row.channel(),
                    1,
                    0,
                    row.name(),
                    row.messageBytes(),
                    1,
                    counts.getOrDefault(Counts.SENT, 0L),
                    row.messages() + row.lost(),
                    row.messages(),
                    row.lost(),
                    0,
                    0,
                    counts,
                    (long) (row.seconds() * NS_PER_S),
                    row.feedPerSecond().isPresent()
                            ? row.askedPerSecond()
                            : 0, // else it achieved 0
                    row.feedPerSecond().orElse(0),
                    0,
                    0,
                    Runtime.getRuntime().availableProcessors(),
                    row.summary()
                            .map(latency -> Map.of(Latencies.RESPONSE_NS, latency))
                            .orElseGet(Map::of),
                    null,
                    null,
                    List.of(),
                    verdict,
                    reasons,
                    List.of(new TrialResult.RoleSummary("browser", 1, row.figures(), List.of())),
                    null);
        }
    }
}
