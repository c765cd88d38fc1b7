package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contest;
import io.tickmark.bench.contest.ContestOutcome;
import io.tickmark.bench.contest.ContestOutcomes;
import io.tickmark.bench.contest.LatencyOutcome;
import io.tickmark.bench.contest.OutcomeTable;
import io.tickmark.kernel.host.Environment;
import io.tickmark.kernel.result.Aggregate.Spread;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Runs the contests one after the other and writes what came of them after each round: into the
 * result folder, and into a page where one is named. Ends with 0 where every goal is met, 1 where
 * one is not, 2 and 3 like {@code tickmark} itself.
 */
public final class SideBySide {
    private static final String ROOT_PROPERTY = "tickmark.root";

    /** As git calls it, with a mark where files were changed; given by {@code bench/run}. */
    private static final String COMMIT_PROPERTY = "tickmark.commit";

    private static final String MARKER = "side by side ";
    private static final DateTimeFormatter FOLDER = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    private final Path root;
    private final List<String> args;
    private final SideBySideSettings settings;
    private final OffsetDateTime startedAt = OffsetDateTime.now();
    private final Path folder;
    private final Machine machine;

    SideBySide(final Path root, final String... args) throws IOException {
        this.root = root;
        this.args = List.of(args);
        settings = Arguments.parse(args);
        final Path results = root.resolve("results");
        folder = results.resolve(FOLDER.format(startedAt) + "_side-by-side");
        Files.createDirectories(folder.resolve("runs"));
        machine = new Machine(results);
    }

    /**
     * Runs it.
     *
     * @param args {@code --option value} pairs, or {@code --help}
     * @throws IOException where results cannot be written
     */
    public static void main(final String... args) throws IOException {
        if (List.of(args).contains("--help")) {
            System.out.print(Arguments.help());
            System.exit(wasWritten() ? 0 : UserError.Kind.ENVIRONMENT.exitCode());
        }
        try {
            final Path root = Path.of(System.getProperty(ROOT_PROPERTY, "")).toAbsolutePath();
            final int status = new SideBySide(root, args).run();
            System.exit(wasWritten() ? status : UserError.Kind.ENVIRONMENT.exitCode());
        } catch (final UserError e) {
            print(e.getMessage());
            System.exit(e.kind().exitCode());
        }
    }

    /** Standard output keeps its errors to itself; the result folder has the same table. */
    private static boolean wasWritten() {
        if (System.out.checkError()) {
            print("standard output cannot be written; send it where there is room.");
            return false;
        }
        return true;
    }

    /** Runs all requested contests; 0 where every goal is met, otherwise 1. */
    int run() throws IOException {
        final Map<String, ContestOutcomes> outcomes = new LinkedHashMap<>();
        checkDocs();
        try (Children children = new Children(folder.resolve("runs"))) {
            Runtime.getRuntime().addShutdownHook(new Thread(children::close, "end-children"));
            for (final Contest contest : wanted(children)) {
                contest.run(
                        settings.rounds(),
                        SideBySide::print,
                        (those, rounds) -> {
                            outcomes.put(contest.name(), those);
                            write(outcomes, contest.name(), rounds);
                        });
            }
        }
        System.out.print(page(all(outcomes), settings.rounds()));
        print("written to " + folder);
        return all(outcomes).rows().stream().allMatch(ContestOutcome::isMet) ? 0 : 1;
    }

    private static ContestOutcomes all(final Map<String, ContestOutcomes> outcomes) {
        return ContestOutcomes.all(outcomes.values());
    }

    private void write(
            final Map<String, ContestOutcomes> outcomes, final String contest, final int rounds) {
        try {
            writeResult(all(outcomes), rounds);
            writeDocs(contest, page(outcomes.get(contest), rounds));
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Contest> wanted(final Children children) {
        final List<Contest> all =
                new Contests(root, folder.resolve("runs"), children, settings).all();
        final List<String> names = all.stream().map(Contest::name).toList();
        for (final String name : settings.only()) {
            if (!names.contains(name)) {
                throw UserError.usage(
                        "--only %s: there are %s.".formatted(name, String.join(", ", names)));
            }
        }
        return all.stream().filter(contest -> settings.wants(contest.name())).toList();
    }

    private void writeResult(final ContestOutcomes outcomes, final int rounds) throws IOException {
        final SideBySideResult result =
                new SideBySideResult(
                        SideBySideResult.SCHEMA,
                        RunResult.timeOf(startedAt),
                        System.getProperty(COMMIT_PROPERTY, "unknown"),
                        settings.rounds(),
                        settings.pinning().sender(),
                        settings.pinning().receiver(),
                        SideBySideResult.rows(outcomes.rows()),
                        SideBySideResult.latencies(outcomes.latencies()),
                        machine.environment());
        Files.writeString(
                folder.resolve("side-by-side.json"), Json.pretty().writeValueAsString(result));
        Files.writeString(folder.resolve("side-by-side.md"), page(outcomes, rounds));
    }

    private String page(final ContestOutcomes outcomes, final int rounds) {
        final List<String> contests =
                outcomes.rows().stream().map(ContestOutcome::contest).distinct().toList();
        return """

        %s: %s on %s; commit %s, `%s`.

        %s
        """
                .formatted(
                        startedAt.toLocalDate(),
                        turns(contests, rounds, settings.rounds()),
                        machine.sentence(),
                        System.getProperty(COMMIT_PROPERTY, "unknown"),
                        Arguments.command(String.join(",", contests), args),
                        OutcomeTable.markdown(outcomes));
    }

    /**
     * How many rounds there are; the command beside it asks for all of them, and the run may end
     * before they were made.
     *
     * @param contests in the order in which they are run; those before the last one are whole
     * @param ofLast whole rounds of the last contest
     * @param askedFor of each
     * @return in words
     */
    static String turns(final List<String> contests, final int ofLast, final int askedFor) {
        final String all = Plural.of(askedFor, "round");
        if (ofLast == askedFor) {
            return all + " in turn";
        }
        return contests.size() > 1
                ? "%s in turn (of %s %d)".formatted(all, contests.getLast(), ofLast)
                : "%d of %s in turn".formatted(ofLast, all);
    }

    /** Before hours are spent: whether the page can be read. */
    private void checkDocs() {
        if (!settings.docs().isEmpty() && !Files.isRegularFile(root.resolve(settings.docs()))) {
            throw UserError.usage("--docs " + settings.docs() + ": there is no such page.");
        }
    }

    private void writeDocs(final String contest, final String table) throws IOException {
        if (settings.docs().isEmpty()) {
            return;
        }
        final Path page = root.resolve(settings.docs());
        final String text = Files.readString(page);
        try {
            Files.writeString(page, MarkedText.replace(text, MARKER + contest, table));
        } catch (final IllegalArgumentException e) {
            throw UserError.usage("--docs " + page + ": has " + e.getMessage() + ".");
        }
    }

    private static void print(final String line) {
        System.err.println("bench: " + line);
    }

    /** The machine of a run, in one sentence and in full. */
    private static final class Machine {
        private final Map<String, Map<String, Object>> environment;

        Machine(final Path resultsFolder) {
            environment = Environment.describe(resultsFolder, Map.of());
        }

        Map<String, Map<String, Object>> environment() {
            return environment;
        }

        /** Processor, cores, kernel and JVM. */
        String sentence() {
            return "%s, %d cores, Linux %s, Java %s"
                    .formatted(
                            environment
                                    .getOrDefault("cpu", Map.of())
                                    .getOrDefault("model", "unknown processor"),
                            Runtime.getRuntime().availableProcessors(),
                            // without the name that its builder gave it
                            System.getProperty("os.version").replaceFirst("-.*", ""),
                            Runtime.version());
        }
    }

    /** A part of a text between two marker lines, which a program writes and people do not. */
    static final class MarkedText {
        private static final String BEGIN = "<!-- %s begin -->";
        private static final String END = "<!-- %s end -->";

        private MarkedText() {}

        /** Puts something else between the markers; there must be a pair of them. */
        static String replace(final String text, final String marker, final String inner) {
            final String begin = BEGIN.formatted(marker);
            final int from = text.indexOf(begin);
            final int to = from < 0 ? -1 : text.indexOf(END.formatted(marker), from);
            if (to < 0) {
                throw new IllegalArgumentException(
                        "no lines " + begin + " and " + END.formatted(marker));
            }
            return text.substring(0, from) + begin + "\n" + inner + text.substring(to);
        }
    }

    /**
     * What {@code side-by-side.json} holds.
     *
     * @param schema name and version of this format
     * @param startedAt ISO-8601 time with offset
     * @param commit that was built
     * @param rounds asked for; a row has a figure for each that counts
     * @param senderCore where the first sides were pinned
     * @param receiverCore where the second sides were pinned
     * @param rows one for each comparison
     * @param latencies one for each that is shown in full
     * @param environment of the host, by group and name
     */
    private record SideBySideResult(
            String schema,
            String startedAt,
            String commit,
            int rounds,
            int senderCore,
            int receiverCore,
            List<ResultRow> rows,
            List<LatencyLine> latencies,
            Map<String, Map<String, Object>> environment) {
        static final String SCHEMA = "tickmark.side-by-side/1";

        /**
         * One comparison; lists hold a figure for each round that counts.
         *
         * @param contest it belongs to
         * @param what is compared
         * @param ours name of the contestant that is judged
         * @param oursFigures its figures
         * @param peer name of the other; null where the figure itself is judged
         * @param peerFigures its figures
         * @param judged ratio or figure; null where nothing was measured
         * @param goal for the median
         * @param met whether it is reached
         * @param failures reasons why rounds are missing, by contestant
         */
        record ResultRow(
                String contest,
                String what,
                String ours,
                List<Double> oursFigures,
                String peer,
                List<Double> peerFigures,
                Spread judged,
                String goal,
                boolean met,
                Map<String, String> failures) {
            static ResultRow of(final ContestOutcome outcome) {
                return new ResultRow(
                        outcome.contest(),
                        outcome.row().what(),
                        outcome.row().ours(),
                        outcome.ours(),
                        outcome.row().peer().orElse(null),
                        outcome.peer(),
                        outcome.isMeasured() ? ContestOutcome.spread(outcome.judged()) : null,
                        outcome.row().goalText(),
                        outcome.isMet(),
                        outcome.failures());
            }
        }

        /**
         * One latency in full.
         *
         * @param contest it belongs to
         * @param what is measured
         * @param who measured it
         * @param figures of the rounds that have one, in ns and percent, by part
         */
        record LatencyLine(
                String contest, String what, String who, Map<String, List<Double>> figures) {
            static LatencyLine of(final LatencyOutcome outcome) {
                final Map<String, List<Double>> figures = new TreeMap<>();
                outcome.figures().forEach((part, all) -> figures.put(part.toString(), all));
                return new LatencyLine(
                        outcome.contest(),
                        outcome.row().what(),
                        outcome.row().contestant(),
                        figures);
            }
        }

        static List<LatencyLine> latencies(final List<LatencyOutcome> outcomes) {
            return outcomes.stream().map(LatencyLine::of).toList();
        }

        static List<ResultRow> rows(final List<ContestOutcome> outcomes) {
            return new ArrayList<>(outcomes.stream().map(ResultRow::of).toList());
        }
    }
}
