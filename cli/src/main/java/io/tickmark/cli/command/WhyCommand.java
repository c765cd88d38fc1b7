package io.tickmark.cli.command;

import io.tickmark.cli.output.Terminal;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.result.ResultFolder;
import io.tickmark.lab.result.ResultJson;
import io.tickmark.lab.result.RoleFolders;
import io.tickmark.lab.tail.Attribution.Delay;
import io.tickmark.lab.tail.Attribution.Delayed;
import io.tickmark.lab.tail.Cause;
import io.tickmark.lab.tail.Pauses.Deoptimisation;
import io.tickmark.lab.tail.Stall;
import io.tickmark.lab.tail.Tail;
import io.tickmark.report.rows.Block;
import io.tickmark.report.rows.MergedRow;
import io.tickmark.report.rows.TailFigures;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Ink;
import io.tickmark.report.text.Paragraph;
import io.tickmark.report.text.Printable;
import io.tickmark.report.text.TextTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code why}: the slowest messages of a run, and which threads were stalled meanwhile. */
final class WhyCommand implements Command {
    private static final int LINES = 10;
    private static final int MOST_LINES = 10_000;
    private static final int MOST_MESSAGES = 10_000;
    private static final double NS_PER_S = 1e9;
    private static final double LEAST_PART_TOLD = 0.1;
    private static final double LEAST_OF_LATENCY = 0.01;
    private static final List<TextTable.Column> COLUMNS =
            List.of(
                    new TextTable.Column("wanted at s", false),
                    new TextTable.Column("repeat", false),
                    new TextTable.Column("messages", false),
                    new TextTable.Column("sent after", false),
                    new TextTable.Column("received after", false),
                    new TextTable.Column("stalls", false),
                    new TextTable.Column("rest", false));
    private static final String WHY = "why";

    /** Places and causes told of a message. */
    private static final int MOST_SUMS = 3;

    private static final int MOST_NAMES = 2;

    WhyCommand() {}

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description(
                        "Lists the slowest messages of a run, one line for all that the same stall delayed: when the slowest"
                                + " of them was intended, how long after that it was sent and received, for how much of that"
                                + " watched threads were stalled or it waited behind others delayed in that way, what is left"
                                + " (the engine, the kernel's path or unseen), and below them for each where its stalls were, for"
                                + " how long and why, as far as is known: the three places and causes that delayed it most.",
                        "",
                        "It looks at all messages that roles noted: a table says for those between two percentiles how much of "
                                + "what they took above the median was the machine's, the test's own, unknown or the engine's. "
                                + "It lists the slowest "
                                + Figures.count(MOST_MESSAGES)
                                + " per repeat, and none below the median. docs/measuring.md says how stalls are seen and "
                                + "charged.");
        spec.addPositional(ReportCommand.folder());
        spec.addOption(
                OptionSpec.builder("--test")
                        .paramLabel("NAME")
                        .type(String.class)
                        .description("Only this test of the run.")
                        .build());
        spec.addOption(
                OptionSpec.builder("--lines")
                        .paramLabel("N")
                        .type(Integer.class)
                        .defaultValue(String.valueOf(LINES))
                        .description("Lines for each step of a test (default: " + LINES + ").")
                        .build());
        return spec;
    }

    @Override
    public String example() {
        return "./tickmark why results/20261120-120000_latency";
    }

    @Override
    public int run(final ParseResult arguments, final Terminal terminal) {
        final Path folder = arguments.matchedPositional(0).getValue();
        final int lines = arguments.matchedOptionValue("--lines", LINES);
        if (lines < 1 || lines > MOST_LINES) {
            throw UserError.usage("--lines takes 1 to %,d; got %d.".formatted(MOST_LINES, lines));
        }
        final RunResult run = ResultJson.read(folder.resolve(ResultFolder.RESULT));
        final String test = arguments.matchedOptionValue("--test", (String) null);
        final List<Block> blocks =
                Block.of(run).stream()
                        .filter(block -> test == null || block.test().equals(test))
                        .toList();
        if (blocks.isEmpty()) {
            throw UserError.usage(
                    "--test %s: %s has no such test; it has %s."
                            .formatted(
                                    test,
                                    folder,
                                    String.join(
                                            ", ",
                                            run.trials().stream()
                                                    .map(TrialResult::test)
                                                    .distinct()
                                                    .toList())));
        }
        final RoleFolders folders = new RoleFolders(folder);
        boolean isExplained = false;
        for (final Block block : blocks) {
            shares(block, terminal);
            TailFigures.fewStages(block)
                    .ifPresent(few -> say(block.place() + ": " + few, terminal));
            for (final MergedRow row : block.rows()) {
                isExplained |= explain(block, row, folders, lines, terminal);
                Stream.concat(
                                TailFigures.whyNotAttributed(row).stream()
                                        .map(why ->
                                                "where the tail comes from is not known: "
                                                        + why
                                                        + "."),
                                TailFigures.whyNoStages(row).stream())
                        .forEach(why ->
                                say(
                                        block.place()
                                                + block.commaStep(row, Figures.ASCII)
                                                + ": "
                                                + why,
                                        terminal));
            }
        }
        if (!isExplained) {
            throw UserError.usage(
                    ("%s does not say for any message what delayed it: latency tests, streams at a rate, market data, FIX and"
                                    + " feeds record that, with threads that spin, block or are adaptive, and with 1,000 messages"
                                    + " or more; and the roles' folders must still exist.")
                            .formatted(folder));
        }
        return 0;
    }

    private static void shares(final Block block, final Terminal terminal) {
        TailFigures.shares(List.of(block))
                .ifPresent(table -> {
                    terminal.out().println(table.title());
                    print(table.text(), terminal);
                    terminal.out().println();
                });
    }

    private static void print(final TextTable table, final Terminal terminal) {
        table.lines(terminal.textColumns(), ink(terminal)).forEach(terminal.out()::println);
    }

    private static Ink ink(final Terminal terminal) {
        return terminal.boldOut() ? Ink.ANSI : Ink.PLAIN;
    }

    private static void say(final String sentence, final Terminal terminal) {
        Paragraph.lines(sentence, terminal.textColumns()).forEach(terminal.out()::println);
    }

    /** Messages that one stall delayed, or one message that none did. */
    private static final class Group {
        private final int repeat;
        private final long firstNs;
        private final Delayed slowest;
        private final Map<String, List<Deoptimisation>> dropped;
        private long messages;

        Group(final int repeat, final Tail.Slowest of, final Delayed slowest) {
            this.repeat = repeat;
            this.firstNs = of.firstNs();
            this.slowest = slowest;
            this.dropped = of.dropped();
        }

        long latencyNs() {
            return slowest.message().latencyNs();
        }

        List<String> cells() {
            final List<Delay> delays = slowest.delays();
            return List.of(
                    String.format(
                            Locale.ROOT,
                            "%.6f",
                            (slowest.message().intendedNs() - firstNs) / NS_PER_S),
                    String.valueOf(repeat),
                    Figures.count(messages),
                    Figures.ASCII.time(slowest.message().sentNs() - slowest.message().intendedNs()),
                    Figures.ASCII.time(latencyNs()),
                    Figures.ASCII.time(slowest.chargedNs()),
                    Figures.ASCII.time(slowest.restNs()),
                    (delays.isEmpty() ? TailFigures.REST : why(delays, latencyNs()))
                            + deoptimised());
        }

        /** What may explain the rest: code that goes on interpreted, until it is compiled again. */
        private String deoptimised() {
            if (2 * slowest.restNs() < latencyNs()) {
                return "";
            }
            final StringBuilder text = new StringBuilder();
            new TreeMap<>(dropped)
                    .forEach((role, all) -> {
                        final List<Deoptimisation> meanwhile =
                                all.stream()
                                        .filter(each ->
                                                each.atNs() >= slowest.message().intendedNs()
                                                        && each.atNs()
                                                                <= slowest.message().receivedNs())
                                        .toList();
                        if (!meanwhile.isEmpty()) {
                            text.append(
                                    "; the JVM of %s dropped compiled code of %s (%s)%s"
                                            .formatted(
                                                    role,
                                                    Printable.of(meanwhile.getFirst().method()),
                                                    meanwhile.getFirst().reason(),
                                                    meanwhile.size() == 1
                                                            ? ""
                                                            : " and of %d more methods"
                                                                    .formatted(
                                                                            meanwhile.size() - 1)));
                        }
                    });
            return text.toString();
        }
    }

    /** Stalls of one thread that have the same main cause. */
    private static final class Sum {
        private final Map<Cause, Long> causes = new EnumMap<>(Cause.class);
        private final Map<String, Long> instead = new LinkedHashMap<>();
        private final String place;
        private long delayNs;
        private long stalledNs;
        private int stalls;

        Sum(final String place) {
            this.place = place;
        }

        void add(final Delay delay) {
            final Stall stall = delay.stall();
            delayNs += delay.ns();
            stalledNs += stall.lengthNs();
            stalls++;
            stall.causes().forEach((cause, ns) -> causes.merge(cause, ns, Long::sum));
            if (!stall.instead().isEmpty()) {
                instead.merge(stall.instead(), stall.lengthNs(), Long::sum);
            }
        }

        /** Where it was, for how long, and each cause of a tenth of it or more. */
        String words() {
            final List<Map.Entry<Cause, Long>> told =
                    causes.entrySet().stream()
                            .filter(each -> each.getValue() >= LEAST_PART_TOLD * stalledNs)
                            .sorted(Map.Entry.<Cause, Long>comparingByValue().reversed())
                            .toList();
            return "%s was stalled for %s%s: %s%s"
                    .formatted(
                            place,
                            Figures.ASCII.time(stalledNs),
                            stalls == 1 ? "" : " in " + Plural.of(stalls, "stall"),
                            told.stream()
                                    .map(each ->
                                            (told.size() > 1
                                                            ? Figures.ASCII.time(each.getValue())
                                                                    + " "
                                                            : "")
                                                    + "%s (%s)"
                                                            .formatted(
                                                                    each.getKey().words(),
                                                                    each.getKey().evidence()))
                                    .collect(Collectors.joining(", ")),
                            meanwhile());
        }

        private String meanwhile() {
            final List<String> names =
                    instead.entrySet().stream()
                            .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                            .map(Map.Entry::getKey)
                            .toList();
            final List<String> operations =
                    names.stream().flatMap(name -> TailFigures.operation(name).stream()).toList();
            final List<String> ran =
                    names.stream().filter(name -> TailFigures.operation(name).isEmpty()).toList();
            return (operations.isEmpty() ? "" : "; the operation was " + most(operations))
                    + (ran.isEmpty() ? "" : "; meanwhile " + most(ran) + " ran");
        }

        private static String most(final List<String> names) {
            final List<String> first = names.subList(0, Math.min(MOST_NAMES, names.size()));
            final int more = names.size() - first.size();
            return String.join(", ", first) + (more == 0 ? "" : " and %d more".formatted(more));
        }
    }

    /**
     * What delayed a message most: its stalls by place and main cause, and how many others.
     *
     * @param delays the one that delayed it most first
     */
    static String why(final List<Delay> delays, final long latencyNs) {
        final Map<String, Sum> sums = new LinkedHashMap<>();
        for (final Delay delay : delays) {
            final String place = (delay.backlog() ? "behind others: " : "") + delay.where();
            final String cause =
                    delay.stall().causes().entrySet().stream()
                            .max(
                                    Map.Entry.<Cause, Long>comparingByValue()
                                            .thenComparing(Map.Entry.comparingByKey()))
                            .map(most -> most.getKey().name())
                            .orElse("");
            sums.computeIfAbsent(place + cause, key -> new Sum(place)).add(delay);
        }
        final List<Sum> sorted =
                sums.values().stream()
                        .sorted(Comparator.comparingLong((Sum sum) -> sum.delayNs).reversed())
                        .toList();
        final List<Sum> told =
                sorted.stream()
                        .limit(MOST_SUMS)
                        .filter(each ->
                                each == sorted.getFirst()
                                        || each.delayNs >= LEAST_OF_LATENCY * latencyNs)
                        .toList();
        final int others = delays.size() - told.stream().mapToInt(sum -> sum.stalls).sum();
        return told.stream().map(Sum::words).collect(Collectors.joining("; "))
                + (others == 0 ? "" : "; and " + Plural.of(others, "other stall"));
    }

    /**
     * Figures of messages, and below them for each why.
     *
     * @param width that no line exceeds
     */
    static List<String> lines(final List<List<String>> rows, final int width, final Ink ink) {
        final TextTable table = new TextTable(COLUMNS, 1);
        rows.forEach(row -> table.add(row.subList(0, COLUMNS.size())));
        final List<String> lines = new ArrayList<>(table.lines(width, ink));
        final String key = COLUMNS.getFirst().name();
        final int keyWidth =
                Math.max(
                        key.length(),
                        rows.stream().mapToInt(row -> row.getFirst().length()).max().orElse(0));
        final List<String> whys = new ArrayList<>();
        for (final List<String> row : rows) {
            final String first = row.getFirst();
            whys.addAll(
                    Paragraph.lines(
                            Printable.of(row.getLast()),
                            width,
                            " ".repeat(keyWidth - first.length()) + first + "  ",
                            " ".repeat(keyWidth + 2)));
        }
        final int widest = whys.stream().mapToInt(String::length).max().orElse(width);
        lines.add(ink.strong(key + " ".repeat(keyWidth - key.length()) + "  " + WHY));
        lines.add(ink.faint("-".repeat(keyWidth) + "  " + "-".repeat(widest - keyWidth - 2)));
        lines.addAll(whys);
        return lines;
    }

    private static boolean explain(
            final Block block,
            final MergedRow row,
            final RoleFolders folders,
            final int lines,
            final Terminal terminal) {
        final List<Group> groups = new ArrayList<>();
        final List<Long> medians = new ArrayList<>();
        long listed = 0;
        long looked = 0;
        long of = 0;
        for (final TrialResult trial : row.repeats()) {
            final Optional<Tail.Slowest> slowest = slowest(trial, folders);
            if (slowest.isPresent()) {
                listed += slowest.get().slowest().size();
                looked += slowest.get().messages();
                of += slowest.get().of();
                medians.add(slowest.get().medianNs());
                groups.addAll(groups(trial.repeat(), slowest.get()));
            }
        }
        if (medians.isEmpty()) {
            return false;
        }
        medians.sort(null);
        say(
                "%s%s: median %s; the slowest %s of %s messages%s"
                        .formatted(
                                block.place(),
                                block.commaStep(row, Figures.ASCII),
                                Figures.ASCII.time(medians.get(medians.size() / 2)),
                                Figures.count(listed),
                                Figures.count(looked),
                                looked < of ? " of " + Figures.count(of) : ""),
                terminal);
        groups.sort(Comparator.comparingLong(Group::latencyNs).reversed());
        lines(
                        groups.stream().limit(lines).map(Group::cells).toList(),
                        terminal.textColumns(),
                        ink(terminal))
                .forEach(terminal.out()::println);
        if (groups.size() > lines) {
            say(
                    "... and %s more; --lines %d shows them"
                            .formatted(
                                    Figures.count(groups.size() - lines),
                                    Math.min(MOST_LINES, groups.size())),
                    terminal);
        }
        terminal.out().println();
        return true;
    }

    private static List<Group> groups(final int repeat, final Tail.Slowest slowest) {
        final Map<Stall, Group> byStall = new IdentityHashMap<>();
        final List<Group> groups = new ArrayList<>();
        for (final Delayed each : slowest.slowest()) {
            final Stall stall = each.worst();
            Group group = stall == null ? null : byStall.get(stall);
            if (group == null) {
                group = new Group(repeat, slowest, each);
                groups.add(group);
                if (stall != null) {
                    byStall.put(stall, group);
                }
            }
            group.messages++;
        }
        return groups;
    }

    private static Optional<Tail.Slowest> slowest(
            final TrialResult trial, final RoleFolders folders) {
        try {
            return Tail.slowest(Tail.roles(trial, folders), trial, MOST_MESSAGES);
        } catch (final IOException e) {
            throw UserError.environment(
                    "What the roles of %s on %s noted cannot be read (%s)."
                            .formatted(trial.test(), trial.channel(), IoReason.of(e)),
                    e);
        } catch (final IllegalArgumentException | IndexOutOfBoundsException e) {
            throw UserError.environment(
                    "What the roles of %s on %s noted of repeat %d is incomplete or of another version (%s)."
                            .formatted(
                                    trial.test(), trial.channel(), trial.repeat(), e.getMessage()),
                    e);
        }
    }
}
