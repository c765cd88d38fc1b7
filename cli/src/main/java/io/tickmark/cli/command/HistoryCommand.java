package io.tickmark.cli.command;

import io.tickmark.cli.option.SettingOptions;
import io.tickmark.cli.output.Terminal;
import io.tickmark.cli.run.HistoryPlace;
import io.tickmark.history.ChangePoints;
import io.tickmark.history.Changes;
import io.tickmark.history.History;
import io.tickmark.history.HistoryPoint;
import io.tickmark.history.HistoryPoint.Series;
import io.tickmark.history.HistoryRun;
import io.tickmark.history.LeftOutParts;
import io.tickmark.kernel.settings.NearestWord;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.json.Json;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Ink;
import io.tickmark.report.text.Printable;
import io.tickmark.report.text.TextTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code history}: the runs, and how a plan's figures changed. */
final class HistoryCommand implements Command {
    private static final int DAY = 10;
    private static final int MINUTE = 16;
    private static final String BARS = "_.-=*#";

    HistoryCommand() {}

    /**
     * What to show.
     *
     * @param history place of it
     * @param find part of what identifies a run
     * @param figure part of a figure's name
     * @param percentile percentiles to show in place of the usual two
     * @param json whether all of it is written to standard output as JSON
     */
    record View(
            @Setting(
                            help =
                                    "File or URL of the history, such as postgresql://host/database?user=me (default: "
                                            + "results/history.db, or what TICKMARK_HISTORY names).",
                            label = "PLACE")
                    String history,
            @Setting(
                            help =
                                    "Only runs with this text in their id, folder, host, version or tags.",
                            label = "TEXT")
                    String find,
            @Setting(
                            help =
                                    "Only figures with this text in their name, each run on a line: p99.",
                            label = "NAME")
                    String figure,
            @Setting(
                            help =
                                    "Percentiles to show, of those that the runs have (default: 50,99).",
                            label = "P,P,...")
                    List<String> percentile,
            @Setting(help = "Print JSON to standard output, and nothing else.") boolean json) {}

    /** A series with the places at which it changed. */
    private record Trend(
            Series series, List<HistoryPoint> points, List<Integer> changes, LeftOutParts leftOut) {
        /** Points from the change before. */
        List<HistoryPoint> before(final int at) {
            final int index = changes.indexOf(at);
            return points.subList(index == 0 ? 0 : changes.get(index - 1), at);
        }

        /** Points up to the next change. */
        List<HistoryPoint> after(final int at) {
            final int next = changes.indexOf(at) + 1;
            return points.subList(at, next < changes.size() ? changes.get(next) : points.size());
        }

        /** Empty where both sides are figures of the same messages. */
        Optional<LeftOutParts.Apart> apart(final int at) {
            return leftOut.apart(before(at), after(at));
        }
    }

    private static SettingOptions options() {
        return new SettingOptions().add(SettingDescriptor.of(View.class), Set.of());
    }

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description(
                        "Lists the runs of the history; with a plan, how its figures changed from run to run, and"
                                + " where the steps are"
                                + " (E-Divisive, at 1 %%). Void runs are left out of trends.");
        spec.addPositional(
                PositionalParamSpec.builder()
                        .paramLabel("PLAN")
                        .arity("0..1")
                        .type(String.class)
                        .description("Name of the plan whose figures to show.")
                        .build());
        options().addTo(spec);
        return spec;
    }

    @Override
    public String example() {
        return "./tickmark history latency-sweep --figure p99";
    }

    @Override
    public int run(final ParseResult arguments, final Terminal terminal) {
        final SettingOptions options = options();
        final View view =
                Settings.read(View.class, options.values(arguments), options.naming(arguments));
        final String plan = arguments.matchedPositionalValue(0, "");
        if (!view.figure().isEmpty() && !view.percentile().isEmpty()) {
            throw UserError.usage(
                    "--percentile: --figure names the figures already; leave one of them out.");
        }
        try (History history = HistoryPlace.existing(view.history())) {
            final List<HistoryRun> runs = history.runs(plan, view.find());
            if (plan.isEmpty()) {
                terminal.out().print(view.json() ? Json.text(runs) : runs(runs, terminal));
            } else {
                if (runs.isEmpty()) {
                    throw noRuns(history, plan, view);
                }
                final List<Trend> trends = trends(history, plan, runs, view, terminal);
                terminal.out()
                        .print(view.json() ? json(trends) : text(trends, plan, view, terminal));
            }
        }
        terminal.out().flush();
        return 0;
    }

    private static UserError noRuns(final History history, final String plan, final View view) {
        final List<String> plans =
                history.runs("", "").stream().map(HistoryRun::plan).distinct().sorted().toList();
        return UserError.usage(
                plans.contains(plan)
                        ? "--find %s: no run of plan %s matches; 'tickmark history' lists them."
                                .formatted(view.find(), plan)
                        : "%s: the history has no run of such a plan; %s"
                                .formatted(plan, NearestWord.hint(plan, plans)));
    }

    private static String runs(final List<HistoryRun> runs, final Terminal terminal) {
        final TextTable table =
                new TextTable(
                        List.of(
                                new TextTable.Column("run", true),
                                new TextTable.Column("started", true),
                                new TextTable.Column("plan", true),
                                new TextTable.Column("verdict", true),
                                new TextTable.Column("tags", true),
                                new TextTable.Column("folder", true)),
                        1);
        for (final HistoryRun run : runs) {
            table.add(
                    List.of(
                            run.id(),
                            cut(run.startedAt(), MINUTE),
                            run.plan(),
                            run.verdict(),
                            String.join(" ", run.tags()),
                            run.folder()));
        }
        return lines(table, terminal) + Plural.of(runs.size(), "run") + ".\n";
    }

    private static List<Trend> trends(
            final History history,
            final String plan,
            final List<HistoryRun> runs,
            final View view,
            final Terminal terminal) {
        final boolean isWhole = view.find().isEmpty(); // nothing is kept of a part
        final Map<Series, List<HistoryPoint>> all =
                history.trends(plan, shown(history.figures(plan), plan, view));
        final Map<Series, List<HistoryPoint>> found = isWhole ? all : ofRuns(all, runs);
        final Changes changes =
                isWhole ? history.changes(plan, found) : new Changes(Map.of(), 0, "");
        if (!changes.notKept().isEmpty()) {
            terminal.err()
                    .println(
                            ("tickmark: the points where figures changed are not kept in the history (%s); they are recomputed"
                                            + " each time.")
                                    .formatted(changes.notKept()));
        }
        final LeftOutParts leftOut = history.leftOut(plan, found.keySet());
        final List<Trend> trends = new ArrayList<>();
        found.forEach((series, points) ->
                trends.add(
                        new Trend(
                                series,
                                points,
                                isWhole
                                        ? changes.bySeries().get(series)
                                        : ChangePoints.of(HistoryPoint.logs(points)),
                                leftOut)));
        return trends;
    }

    private static Map<Series, List<HistoryPoint>> ofRuns(
            final Map<Series, List<HistoryPoint>> all, final List<HistoryRun> runs) {
        final Set<String> wanted =
                runs.stream().map(HistoryRun::id).collect(Collectors.toUnmodifiableSet());
        final Map<Series, List<HistoryPoint>> found = new LinkedHashMap<>();
        all.forEach((series, points) -> {
            final List<HistoryPoint> ofRuns =
                    points.stream().filter(point -> wanted.contains(point.run())).toList();
            if (!ofRuns.isEmpty()) {
                found.put(series, ofRuns);
            }
        });
        return found;
    }

    /** Selects from the available figures; by default those of most interest. */
    private static List<String> shown(
            final List<String> figures, final String plan, final View view) {
        if (!view.percentile().isEmpty()) {
            return view.percentile().stream()
                    .flatMap(percentile -> ofPercentile(figures, plan, percentile).stream())
                    .toList();
        }
        if (view.figure().isEmpty()) {
            return figures.stream()
                    .filter(name -> name.matches("achievedRatePerSecond|.*\\.p(50|99)"))
                    .toList();
        }
        final List<String> named =
                figures.stream().filter(name -> name.contains(view.figure())).toList();
        if (named.isEmpty() && !figures.isEmpty()) {
            throw UserError.usage(
                    "--figure %s: no run of plan %s has such a figure; %s"
                            .formatted(
                                    view.figure(), plan, NearestWord.hint(view.figure(), figures)));
        }
        return named;
    }

    /** In names a percentile has no point: the 99.9th is {@code p999}. */
    private static List<String> ofPercentile(
            final List<String> figures, final String plan, final String percentile) {
        final String digits = percentile.replaceFirst("^p", "").replaceFirst("[.]0*$", "");
        final String ending = ".p" + digits.replace(".", "");
        final List<String> found = figures.stream().filter(name -> name.endsWith(ending)).toList();
        if (found.isEmpty()) {
            throw UserError.usage(
                    "--percentile %s: runs of plan %s have %s; name one of those."
                            .formatted(
                                    percentile,
                                    plan,
                                    figures.stream()
                                            .map(name -> name.substring(name.lastIndexOf('.') + 1))
                                            .filter(name -> name.matches("p[0-9]+"))
                                            .map(HistoryCommand::percentile)
                                            .distinct()
                                            .sorted(Comparator.comparingDouble(Double::parseDouble))
                                            .collect(Collectors.joining(", "))));
        }
        return found;
    }

    private static String percentile(final String name) {
        final String digits = name.substring(1);
        return digits.length() <= 2 ? digits : digits.substring(0, 2) + "." + digits.substring(2);
    }

    private static String text(
            final List<Trend> trends, final String plan, final View view, final Terminal terminal) {
        if (trends.isEmpty()) {
            return "All runs of plan %s are void and have no figures; 'tickmark history' lists them.%n"
                    .formatted(plan);
        }
        // Machines are separated, so that the step between two of them is not taken for a change.
        final Map<String, List<Trend>> byPlace =
                trends.stream()
                        .collect(
                                Collectors.groupingBy(
                                        trend -> place(trend.series()),
                                        LinkedHashMap::new,
                                        Collectors.toList()));
        return byPlace.entrySet().stream()
                .map(entry ->
                        entry.getKey()
                                + ":\n"
                                + (view.figure().isEmpty()
                                        ? overview(entry.getValue(), terminal)
                                        : points(entry.getValue(), terminal)))
                .collect(Collectors.joining("\n"));
    }

    private static String place(final Series series) {
        return Printable.of(
                "On "
                        + (series.machine().isEmpty() ? "an unknown machine" : series.machine())
                        + (series.placement().isEmpty() ? "" : "; " + series.placement())
                        + (series.idle().isEmpty() ? "" : "; idle " + series.idle()));
    }

    private static String overview(final List<Trend> trends, final Terminal terminal) {
        final TextTable table =
                new TextTable(
                        List.of(
                                new TextTable.Column("series", true),
                                new TextTable.Column("runs", false),
                                new TextTable.Column("first", false),
                                new TextTable.Column("last", false),
                                new TextTable.Column("trend", true),
                                new TextTable.Column("changes", true)),
                        1);
        for (final Trend trend : trends) {
            table.add(
                    List.of(
                            name(trend.series()),
                            Integer.toString(trend.points().size()),
                            value(trend.points().getFirst()),
                            value(trend.points().getLast()),
                            bars(trend.points()),
                            changes(trend)));
        }
        return lines(table, terminal);
    }

    private static String points(final List<Trend> trends, final Terminal terminal) {
        final StringBuilder text = new StringBuilder();
        for (final Trend trend : trends) {
            text.append(Printable.of(name(trend.series()))).append('\n');
            final TextTable table =
                    new TextTable(
                            List.of(
                                    new TextTable.Column("run", true),
                                    new TextTable.Column("started", true),
                                    new TextTable.Column("value", false),
                                    new TextTable.Column("", true)),
                            1);
            for (int i = 0; i < trend.points().size(); i++) {
                final HistoryPoint point = trend.points().get(i);
                table.add(
                        List.of(
                                point.run(),
                                cut(point.startedAt(), MINUTE),
                                value(point),
                                trend.changes().contains(i) ? change(trend, i) : ""));
            }
            text.append(lines(table, terminal)).append(trend == trends.getLast() ? "" : "\n");
        }
        return text.toString();
    }

    private static String name(final Series series) {
        return series.test()
                + (series.channel().isEmpty() ? "" : " on " + series.channel())
                + (series.payloadBytes() > 0 ? ", " + Plural.of(series.payloadBytes(), "byte") : "")
                + (series.step() > 0 ? ", step " + series.step() : "")
                + ", "
                + series.figure();
    }

    private static String value(final HistoryPoint point) {
        return value(point.series(), point.value());
    }

    private static String value(final Series series, final double value) {
        if (series.figure().contains("Ns.")) {
            return Figures.ASCII.time(value);
        }
        return series.figure().endsWith("PerSecond")
                ? Figures.ASCII.rate(value)
                : Figures.digits(value);
    }

    private static String changes(final Trend trend) {
        return trend.changes().stream()
                .map(at -> cut(trend.points().get(at).startedAt(), DAY) + " " + change(trend, at))
                .collect(Collectors.joining(", "));
    }

    /** From the mean of the part before to that of the part after. */
    private static String change(final Trend trend, final int at) {
        final Optional<LeftOutParts.Apart> apart = trend.apart(at);
        if (apart.isPresent()) {
            return "not judged: %.1f %% of the messages left out before, %.1f %% after"
                    .formatted(100 * apart.get().beforePart(), 100 * apart.get().afterPart());
        }
        final double before = HistoryPoint.mean(trend.before(at));
        final double after = HistoryPoint.mean(trend.after(at));
        return before > 0 && after > 0
                ? "change %+.1f %%".formatted(100 * (after / before - 1))
                : "change from %s to %s"
                        .formatted(value(trend.series(), before), value(trend.series(), after));
    }

    /** The last values as a line of signs, low to high. */
    private static String bars(final List<HistoryPoint> points) {
        final double[] logs =
                HistoryPoint.logs(points.subList(Math.max(0, points.size() - 24), points.size()));
        final double low = java.util.Arrays.stream(logs).min().orElse(0);
        final double high = java.util.Arrays.stream(logs).max().orElse(0);
        final StringBuilder bars = new StringBuilder();
        for (final double log : logs) {
            final double part = high > low ? (log - low) / (high - low) : 0;
            bars.append(BARS.charAt((int) Math.round(part * (BARS.length() - 1))));
        }
        return bars.toString();
    }

    private static String json(final List<Trend> trends) {
        final List<Map<String, Object>> all = new ArrayList<>();
        for (final Trend trend : trends) {
            final Map<String, Object> one = new LinkedHashMap<>();
            one.put("series", trend.series());
            one.put("runs", trend.points().stream().map(HistoryPoint::run).toList());
            one.put("startedAt", trend.points().stream().map(HistoryPoint::startedAt).toList());
            one.put("values", trend.points().stream().map(HistoryPoint::value).toList());
            final Map<Boolean, List<Integer>> byJudged =
                    trend.changes().stream()
                            .collect(Collectors.partitioningBy(at -> trend.apart(at).isEmpty()));
            one.put("changesAt", byJudged.get(true));
            one.put("notJudgedAt", byJudged.get(false));
            all.add(one);
        }
        return Json.text(all);
    }

    private static String lines(final TextTable table, final Terminal terminal) {
        return String.join(
                        "\n",
                        table.lines(
                                terminal.textColumns(), terminal.boldOut() ? Ink.ANSI : Ink.PLAIN))
                + "\n";
    }

    private static String cut(final String text, final int length) {
        return text.substring(0, Math.min(length, text.length())).replace('T', ' ');
    }
}
