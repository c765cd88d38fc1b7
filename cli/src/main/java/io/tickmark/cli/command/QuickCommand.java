package io.tickmark.cli.command;

import io.tickmark.cli.option.MeasureOptions;
import io.tickmark.cli.output.Terminal;
import io.tickmark.cli.run.Measurement;
import io.tickmark.kernel.host.Environment;
import io.tickmark.kernel.host.HostCheck;
import io.tickmark.kernel.host.HostCheck.Severity;
import io.tickmark.kernel.host.HostChecks;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.lab.compare.Resolution;
import io.tickmark.lab.plan.PlanLibrary;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.report.rows.Block;
import io.tickmark.report.rows.MergedRow;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Paragraph;
import io.tickmark.report.text.Printable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code quick}: a machine's floor in a minute, and what it can tell apart. */
final class QuickCommand implements Command {
    private static final String PLAN = "quick";
    private static final int MOST_SETTINGS = 3;
    private static final double PERCENT = 100;

    QuickCommand() {}

    /** A step of a channel that was measured. */
    private record Place(Block block, MergedRow row) {
        String channel() {
            return Printable.of(block.channel());
        }

        OptionalLong told(final Function<LatencySummary, OptionalLong> figure) {
            return row.headline().flatMap(row::latency).map(figure).orElse(OptionalLong.empty());
        }

        OptionalDouble resolution(final Function<LatencySummary, OptionalLong> figure) {
            return row.headline()
                    .map(name -> Resolution.of(row.repeats(), name, figure))
                    .orElse(OptionalDouble.empty());
        }
    }

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description(
                        "Measures in less than a minute what this machine can resolve: round trips at a rate through shared"
                                + " memory, sockets and Aeron, what of their tail is the machine's, how small a change"
                                + " would be seen in such a minute, and which settings of the machine matter most. The plan"
                                + " is 'quick'.");
        MeasureOptions.addTo(spec);
        return spec;
    }

    @Override
    public String example() {
        return "./tickmark quick";
    }

    @Override
    public int run(final ParseResult arguments, final Terminal terminal) throws Exception {
        final MeasureOptions options = MeasureOptions.of(arguments);
        return new Measurement(terminal, options)
                .saying(run -> machine(run, terminal.textColumns()))
                .run(options.applyTo(new PlanLibrary(RoleCatalog.load()).find(PLAN), arguments));
    }

    private static String machine(final RunResult run, final int width) {
        final List<Place> places = new ArrayList<>();
        for (final Block block : Block.of(run)) {
            block.rows().stream()
                    .filter(row -> !row.isVoid())
                    .forEach(row -> places.add(new Place(block, row)));
        }
        final List<String> sentences = new ArrayList<>();
        floor(places).ifPresent(sentences::add);
        resolution(places, "the median", LatencySummary::p50).ifPresent(sentences::add);
        resolution(places, "the 99th percentile", LatencySummary::p99).ifPresent(sentences::add);
        sentences.addAll(settings());
        final StringBuilder text = new StringBuilder("\nThis machine\n");
        sentences.forEach(sentence ->
                Paragraph.lines(sentence, width, "- ", "  ")
                        .forEach(line -> text.append(line).append('\n')));
        return text.append('\n').toString();
    }

    /** The shortest of the channels has the least of its own in it. */
    private static Optional<String> floor(final List<Place> places) {
        return places.stream()
                .filter(place -> place.told(LatencySummary::p999).isPresent())
                .min(
                        Comparator.comparingLong(
                                place -> place.told(LatencySummary::p999).getAsLong()))
                .map(place ->
                        "At 99.9 %% it is good to %s: what is shorter cannot be told from its own stalls (%s, the channel with the"
                                        .formatted(
                                                Figures.ASCII.time(
                                                        place.told(LatencySummary::p999)
                                                                .getAsLong()),
                                                place.channel())
                                + " shortest tail).");
    }

    private static Optional<String> resolution(
            final List<Place> places,
            final String words,
            final Function<LatencySummary, OptionalLong> figure) {
        final List<Place> told =
                places.stream()
                        .filter(place -> place.resolution(figure).isPresent())
                        .sorted(
                                Comparator.comparingDouble(
                                        place -> place.resolution(figure).getAsDouble()))
                        .toList();
        if (told.isEmpty()) {
            return Optional.empty();
        }
        final Place best = told.getFirst();
        final Place worst = told.getLast();
        return Optional.of(
                "Between two runs like this one, changes of %s below %s on %s%s cannot be told."
                        .formatted(
                                words,
                                percent(best.resolution(figure).getAsDouble()),
                                best.channel(),
                                best == worst
                                        ? ""
                                        : " and below %s on %s"
                                                .formatted(
                                                        percent(
                                                                worst.resolution(figure)
                                                                        .getAsDouble()),
                                                        worst.channel())));
    }

    private static String percent(final double part) {
        return part > 1 ? "100 % and more" : Figures.digits(PERCENT * part) + " %";
    }

    /** Those that are likely to show, the worst first. */
    private static List<String> settings() {
        final List<HostCheck> warnings =
                HostChecks.all(Environment.describe(Path.of("."), Map.of())).stream()
                        .filter(check -> check.severity() == Severity.WARNING)
                        .toList();
        final List<String> sentences = new ArrayList<>();
        warnings.stream()
                .limit(MOST_SETTINGS)
                .forEach(check ->
                        sentences.add(
                                Printable.of(
                                        capitalised(check.subject()) + ": " + check.sentence())));
        sentences.add(
                warnings.isEmpty()
                        ? "No setting of it is likely to show in the figures; ./tickmark doctor --all lists them."
                        : warnings.size() <= MOST_SETTINGS
                                ? "./tickmark doctor lists what else there is to know of it."
                                : "./tickmark doctor lists %d more such settings."
                                        .formatted(warnings.size() - MOST_SETTINGS));
        return sentences;
    }

    private static String capitalised(final String words) {
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }
}
