package io.tickmark.report.compare;

import io.tickmark.kernel.settings.NameList;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.lab.compare.Comparison;
import io.tickmark.lab.compare.Comparison.ComparedFigure;
import io.tickmark.lab.compare.Comparison.ComparedRow;
import io.tickmark.lab.compare.Comparison.SideSummary;
import io.tickmark.lab.compare.Gate;
import io.tickmark.lab.compare.Gate.GateFigure;
import io.tickmark.lab.compare.Outcome;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.LatencyTitle;
import io.tickmark.report.text.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The sentences about a comparison, the same on terminal, page and in Markdown. */
final class CompareWords {
    private static final double PERCENT = 100;
    private static final double FAR = 100;

    /** All our names are shorter; names in a file may be of any length. */
    private static final int LONGEST_HEAD = 34;

    private static final int UNDECIDED_TOLD = 3;

    /** More runs than these are counted in the conclusion. */
    private static final int MOST_NAMED = 5;

    private static final double SMALLEST_TOLD = 0.0005;

    /** A part from which on its digits say nothing: a factor of ten. */
    private static final double TENFOLD = 9;

    private CompareWords() {}

    /** What is compared: its channels where they differ, otherwise the runs by name or folder. */
    static String title(final Comparison comparison) {
        final List<SideSummary> sides = comparison.sides();
        final List<String> channels =
                comparison.rows().stream()
                        .filter(row -> !row.channel().equals(row.otherChannel()))
                        .map(row -> row.otherChannel() + " against " + row.channel())
                        .distinct()
                        .toList();
        if (sides.size() == 2 && channels.size() == 1) {
            return Printable.of(channels.getFirst());
        }
        final List<String> names =
                sides.stream()
                        .map(side -> side.name().length() == 1 ? side.path() : side.name())
                        .toList();
        return Printable.of(
                String.join(", ", names.subList(1, names.size())) + " against " + names.getFirst());
    }

    /** The overall outcome in one sentence. */
    static String conclusion(final Comparison comparison) {
        final List<String> parts = new ArrayList<>();
        final long within = withinItself(comparison);
        for (final Outcome outcome : Outcome.values()) {
            final long count = comparison.count(outcome) - (outcome == Outcome.WORSE ? within : 0);
            if (count > 0) {
                parts.add(Figures.count(count) + " " + word(outcome));
            }
            if (outcome == Outcome.WORSE && within > 0) {
                parts.add(Figures.count(within) + " worse" + itsNoise(comparison));
            }
        }
        return others(comparison)
                + " against "
                + comparison.sides().getFirst().name()
                + ": "
                + (comparison.comparesNothing()
                        ? "nothing could be compared"
                        : String.join(", ", parts))
                + ".";
    }

    /** Figures that are worse by no more than two measurements of the first run may differ. */
    static long withinItself(final Comparison comparison) {
        return comparison.gate() == null ? 0 : comparison.gate().withinItself().size();
    }

    private static String itsNoise(final Comparison comparison) {
        return " within the noise of " + comparison.sides().getFirst().name();
    }

    /** What a machine could have detected at all, before any statement about a change. */
    static String resolution(final Comparison comparison, final Gate gate, final Figures figures) {
        final Map<String, List<GateFigure>> byName =
                gate.figures().stream()
                        .collect(
                                Collectors.groupingBy(
                                        GateFigure::name, LinkedHashMap::new, Collectors.toList()));
        final List<String> seen = new ArrayList<>();
        final List<String> coarse = new ArrayList<>();
        final Map<String, List<String>> unseen = new LinkedHashMap<>();
        final List<String> unrepeated = new ArrayList<>();
        byName.forEach((name, all) -> {
            if (all.stream().anyMatch(each -> each.tells().orElse(0) >= TENFOLD)) {
                coarse.add(figure(name));
            } else if (all.stream().allMatch(each -> each.tells().isPresent())) {
                seen.add("below %s of %s".formatted(largest(all, GateFigure::tells), figure(name)));
            } else if (all.stream().allMatch(each -> each.effect().isPresent())) {
                unrepeated.add(figure(name));
            } else {
                all.stream()
                        .filter(each -> each.effect().isEmpty())
                        .findFirst()
                        .ifPresent(each ->
                                unseen.computeIfAbsent(each.whyUnknown(), why -> new ArrayList<>())
                                        .add(figure(name)));
            }
        });
        if (!coarse.isEmpty()) {
            seen.add("below a factor of 10 of " + String.join(", ", coarse));
        }
        final List<String> parts = new ArrayList<>();
        if (!seen.isEmpty()) {
            parts.add(
                    "a change %s: two measurements of %s may differ by as much"
                            .formatted(
                                    String.join(", ", seen), comparison.sides().getFirst().name()));
        }
        unseen.forEach((why, names) ->
                parts.add("any change of " + String.join(", ", names) + ", " + why));
        if (!unrepeated.isEmpty()) {
            parts.add("any change of " + String.join(", ", unrepeated) + ", for lack of repeats");
        }
        if (parts.isEmpty()) {
            parts.add("any change: nothing was measured");
        }
        return "In "
                + figures.time(gate.tookNs())
                + " this machine cannot detect "
                + String.join("; and not ", parts)
                + ".";
    }

    /** The largest of several rows; reported as unknown where one of them lacks it. */
    private static String largest(
            final List<GateFigure> all, final Function<GateFigure, OptionalDouble> part) {
        if (all.stream().anyMatch(each -> part.apply(each).isEmpty())) {
            return "an unknown part";
        }
        final double most =
                all.stream()
                        .mapToDouble(each -> Math.abs(part.apply(each).orElseThrow()))
                        .max()
                        .orElse(0);
        if (most >= TENFOLD) {
            return "more than a factor of 10";
        }
        return most < SMALLEST_TOLD ? "less than 0.05 %" : percent(most);
    }

    /** The verdict on the build, and its reason. */
    static String judgement(final Comparison comparison, final Gate gate) {
        final String size = percent(gate.mustSee());
        return switch (gate.verdict()) {
            case PASSED ->
                    "Gate passed: nothing is worse"
                            + (withinItself(comparison) > 0 ? byMore(comparison) : "")
                            + ", and a change of "
                            + size
                            + " for the worse would not have passed.";
            case WORSE ->
                    "Gate failed: "
                            + (gate.worse() == 1
                                    ? "1 figure or criterion is"
                                    : gate.worse() + " figures or criteria are")
                            + " worse"
                            + byMore(comparison)
                            + ".";
            case UNDECIDED ->
                    "Gate undecided: nothing is shown to be worse, but " + why(comparison, gate);
        };
    }

    private static String byMore(final Comparison comparison) {
        return " by more than two measurements of "
                + comparison.sides().getFirst().name()
                + " may differ";
    }

    private static String why(final Comparison comparison, final Gate gate) {
        if (!gate.measured()) {
            return "one side was not measured to the end.";
        }
        final List<String> open =
                gate.figures().stream()
                        .filter(figure -> !figure.decided())
                        .map(figure ->
                                figure(figure.name())
                                        + " of "
                                        + place(comparison.rows().get(figure.row()), Figures.ASCII)
                                        + worstCase(figure))
                        .toList();
        final List<String> missing = comparison.missing();
        if (!missing.isEmpty()) { // nothing that is measured longer brings such a row
            return missing.getFirst()
                    + (missing.size() > 1 ? " Rows that are missing: " + missing.size() + "." : "")
                    + (open.isEmpty() ? "" : " Also undecided: " + first(open) + ".");
        }
        if (open.isEmpty()) {
            return gate.figures().isEmpty()
                    ? "there are no figures to judge by."
                    : doubt(comparison, comparison.sides().getFirst().name());
        }
        return first(open)
                + "; a change of "
                + percent(gate.mustSee())
                + " must be detectable. "
                + (gate.figures().stream()
                                .anyMatch(figure -> isHiddenByClocks(comparison, gate, figure))
                        ? "The clocks of the hosts are not known well enough for that; only better ones could decide it."
                        : "More repeats, more messages in each or a quieter machine could decide it.");
    }

    /** Whether neither repeats nor a quieter machine can decide a figure. */
    private static boolean isHiddenByClocks(
            final Comparison comparison, final Gate gate, final GateFigure figure) {
        return !figure.decided()
                && comparison.rows().get(figure.row()).figures().stream()
                        .anyMatch(each ->
                                each.name().equals(figure.name())
                                        && each.clockPart() > gate.mustSee());
    }

    private static String first(final List<String> open) {
        return NameList.of(open, UNDECIDED_TOLD);
    }

    /** Why a criterion or a figure that seems worse does not count. */
    private static String doubt(final Comparison comparison, final String first) {
        return comparison.rows().stream()
                .flatMap(row -> row.broken().stream())
                .findFirst()
                .map(sentence ->
                        "%s breaks the same criterion when it is measured again: %s"
                                .formatted(first, sentence))
                .orElse("%s was not measured again.".formatted(first));
    }

    private static String worstCase(final GateFigure figure) {
        if (figure.effect().isEmpty()) {
            return " is not known (" + figure.whyUnknown() + ")";
        }
        if (figure.worstCase().isEmpty() || figure.tells().isEmpty()) {
            return " has no interval";
        }
        final double worst = figure.worstCase().getAsDouble();
        return worst >= TENFOLD
                ? " may be worse by more than a factor of 10"
                : " may be up to " + percent(worst) + " worse";
    }

    private static String others(final Comparison comparison) {
        if (comparison.sides().size() - 1 > MOST_NAMED) {
            return "%d runs".formatted(comparison.sides().size() - 1);
        }
        return comparison.sides().stream()
                .skip(1)
                .map(SideSummary::name)
                .collect(Collectors.joining(", "));
    }

    /** What the intervals and the words mean. */
    static String meaning(final Comparison comparison) {
        return ("Different: the interval excludes 0, and reaches %s. No difference: all of it is within %s. Too noisy:"
                        + " it contains 0 and more than that%s. Each interval misses the true value in %s of such comparisons,"
                        + " so that at most %s of the differences reported are due to chance.")
                .formatted(
                        percent(comparison.minEffect()),
                        percent(comparison.minEffect()),
                        isAnyDoubted(comparison)
                                ? ", or the machine or the clocks of hosts may explain it"
                                : "",
                        percent(comparison.errorProbability()),
                        percent(comparison.errorRate()));
    }

    private static boolean isAnyDoubted(final Comparison comparison) {
        return comparison.rows().stream()
                .flatMap(row -> row.figures().stream())
                .anyMatch(figure -> figure.doubt().isBesideInterval());
    }

    /** The outcome of a figure, beside what a gate knows of it. */
    static String word(
            final Comparison comparison, final ComparedRow row, final ComparedFigure figure) {
        return word(figure.outcome())
                + (comparison.isWithinItself(row, figure) ? "," + itsNoise(comparison) : "");
    }

    private static String word(final Outcome outcome) {
        return switch (outcome) {
            case BETTER -> "better";
            case WORSE -> "worse";
            case NO_DIFFERENCE -> "no difference";
            case TOO_NOISY -> "too noisy";
        };
    }

    /** {@code roundTripNs.p99} as people say it. */
    static String figure(final String name) {
        final int dot = name.indexOf('.');
        return dot < 0 ? part(name) : LatencyTitle.of(name.substring(0, dot)) + " " + part(name);
    }

    /** The same without the latency: {@code 99 %}. */
    static String part(final String name) {
        final int dot = name.indexOf('.');
        if (dot < 0) {
            return "Rate";
        }
        return switch (name.substring(dot + 1)) {
            case "p50" -> "50 %";
            case "p90" -> "90 %";
            case "p99" -> "99 %";
            case "p999" -> "99.9 %";
            default -> name.substring(dot + 1);
        };
    }

    /** A name from a file over a column: on one line, and not wider than what is below it. */
    static String head(final String name) {
        return cut(Printable.of(name), LONGEST_HEAD);
    }

    /** At most a number of characters, the last of them dots where there were more. */
    static String cut(final String text, final int longest) {
        return text.length() <= longest ? text : text.substring(0, longest - 2) + "..";
    }

    /** A value of a figure with its unit. */
    static String value(final ComparedFigure figure, final double value, final Figures figures) {
        return figure.moreIsBetter() ? figures.rate(value) : figures.time(value);
    }

    /** A part as a change with its sign. */
    static String change(final double part) {
        final double percent = part * PERCENT;
        return Math.abs(percent) < 0.05
                ? "0.0 %"
                : Math.abs(percent) >= 1000
                        ? String.format(Locale.ROOT, "x %.3g", part + 1)
                        : String.format(Locale.ROOT, "%+.1f %%", percent);
    }

    static String interval(final ComparedFigure figure) {
        return figure.low() == figure.high()
                ? "n/a"
                : bound(figure.low()) + " .. " + bound(figure.high());
    }

    /** Far out it does not matter how far. */
    private static String bound(final double part) {
        if (part + 1 > FAR) {
            return "over x " + (int) FAR;
        }
        return part + 1 < 1 / FAR ? "under x " + 1 / FAR : change(part);
    }

    private static String percent(final double part) {
        return Figures.digits(part * PERCENT) + " %";
    }

    /** The test and step of a row, without channels. */
    static String step(final ComparedRow row, final Figures figures) {
        return row.test() + stepAlone(row, figures);
    }

    /** The location of a row, without the run's name. */
    static String place(final ComparedRow row, final Figures figures) {
        return row.test()
                + (row.channel().isEmpty() ? "" : " on " + row.channel())
                + (row.otherChannel().equals(row.channel())
                        ? ""
                        : " (against " + row.otherChannel() + ")")
                + stepAlone(row, figures);
    }

    private static String stepAlone(final ComparedRow row, final Figures figures) {
        if (!row.label().isEmpty()) {
            return ", " + row.label();
        }
        if (row.payloadBytes() <= 0) {
            return "";
        }
        final double rate = row.offeredRatePerSecond();
        return ", %s%s"
                .formatted(
                        Plural.of(row.payloadBytes(), "byte"),
                        rate > 0 ? " at " + figures.rate(rate) : "");
    }
}
