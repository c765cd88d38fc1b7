package io.tickmark.report.compare;

import io.tickmark.lab.compare.Comparison;
import io.tickmark.lab.compare.Comparison.ComparedFigure;
import io.tickmark.lab.compare.Comparison.ComparedRow;
import io.tickmark.lab.compare.Gate;
import io.tickmark.lab.compare.Gate.GateFigure;
import io.tickmark.lab.compare.Gate.GateVerdict;
import io.tickmark.lab.compare.Outcome;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Printable;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A comparison for the description of a pull request: differences first, everything below. */
public final class CompareMarkdown {
    /** More bars than these cannot be distinguished. */
    private static final int MOST_BARS = 24;

    /** Percent; a longer bar would flatten all others. */
    private static final double LONGEST_BAR = 100;

    private CompareMarkdown() {}

    /**
     * Composes the text.
     *
     * @param comparison to show
     * @return GitHub flavoured Markdown
     */
    public static String of(final Comparison comparison) {
        final StringBuilder text = new StringBuilder();
        final Gate gate = comparison.gate();
        if (gate == null) {
            text.append("### tickmark: ")
                    .append(safe(CompareWords.conclusion(comparison)))
                    .append("\n\n");
        } else {
            text.append(safe(CompareWords.resolution(comparison, gate, Figures.ASCII)))
                    .append("\n\n### tickmark: ")
                    .append(safe(CompareWords.judgement(comparison, gate)))
                    .append("\n\n")
                    .append(picture(comparison, gate))
                    .append(safe(CompareWords.conclusion(comparison)))
                    .append("\n\n");
        }
        final StringBuilder changes = new StringBuilder();
        final StringBuilder noisy = new StringBuilder();
        final StringBuilder rest = new StringBuilder();
        final boolean isUndecided = gate != null && gate.verdict() == GateVerdict.UNDECIDED;
        for (final ComparedRow row : comparison.rows()) {
            row.broken()
                    .forEach(sentence ->
                            changes.append(
                                    "| %s | criteria | | | %s | **worse** |%n"
                                            .formatted(place(comparison, row), safe(sentence))));
            for (final ComparedFigure figure : row.figures()) {
                (isChange(figure)
                                ? changes
                                : isUndecided && figure.outcome() == Outcome.TOO_NOISY
                                        ? noisy
                                        : rest)
                        .append(line(comparison, row, figure));
            }
        }
        final String head =
                "| where | figure | %s | other | change | verdict |%n|---|---|--:|--:|--:|---|%n"
                        .formatted(safe(comparison.sides().getFirst().name()));
        if (!changes.isEmpty()) {
            text.append(head).append(changes).append('\n');
        }
        if (!noisy.isEmpty()) {
            text.append("Too noisy to tell, and so undecided:\n\n")
                    .append(head)
                    .append(noisy)
                    .append('\n');
        }
        if (!rest.isEmpty()) {
            text.append("<details><summary>What did not change")
                    .append(isUndecided ? "" : ", or is too noisy to tell")
                    .append("</summary>\n\n")
                    .append(head)
                    .append(rest)
                    .append("\n</details>\n\n");
        }
        comparison.notes().forEach(note -> text.append("- ").append(safe(note)).append('\n'));
        return text.append('\n')
                .append(safe(CompareWords.meaning(comparison)))
                .append('\n')
                .toString();
    }

    /**
     * What a gate says where there is nothing to compare.
     *
     * @param reason why, a sentence
     * @return GitHub flavoured Markdown
     */
    public static String undecided(final String reason) {
        return "### tickmark: Gate undecided: nothing could be compared.\n\n" + safe(reason) + "\n";
    }

    /** Bars of the changes, in the language of pictures that code hosts draw. */
    private static String picture(final Comparison comparison, final Gate gate) {
        final List<GateFigure> all =
                gate.figures().stream().filter(figure -> figure.effect().isPresent()).toList();
        if (all.isEmpty()) {
            return "";
        }
        final List<GateFigure> shown = all.subList(0, Math.min(MOST_BARS, all.size()));
        final boolean isItselfKnown =
                shown.stream().allMatch(figure -> figure.againstItself().isPresent());
        return String.format(
                Locale.ROOT,
                """
                ```mermaid
                xychart-beta
                  title "Change in percent: bars %s%s%s%s"
                  x-axis [%s]
                  y-axis "percent"
                  bar [%s]%s
                ```

                """,
                plain(comparison.sides().getLast().name()),
                isItselfKnown
                        ? ", line what "
                                + plain(comparison.sides().getFirst().name())
                                + " differs from itself"
                        : "",
                shown.stream().anyMatch(CompareMarkdown::isCut)
                        ? " (longer bars end at %.0f)".formatted(LONGEST_BAR)
                        : "",
                shown.size() < all.size()
                        ? ", the first %d of %d figures".formatted(shown.size(), all.size())
                        : "",
                shown.stream()
                        .map(figure ->
                                '"'
                                        + (comparison.rows().size() > 1
                                                ? (figure.row() + 1) + ": "
                                                : "")
                                        + plain(CompareWords.figure(figure.name()))
                                        + '"')
                        .collect(Collectors.joining(", ")),
                shown.stream()
                        .map(figure -> percent(figure.effect().orElseThrow()))
                        .collect(Collectors.joining(", ")),
                isItselfKnown
                        ? shown.stream()
                                .map(figure -> percent(figure.againstItself().orElseThrow()))
                                .collect(Collectors.joining(", ", "\n  line [", "]"))
                        : "");
    }

    private static boolean isCut(final GateFigure figure) {
        return Math.max(figure.effect().orElse(0), figure.againstItself().orElse(0)) * 100
                > LONGEST_BAR;
    }

    private static String percent(final double part) {
        return String.format(Locale.ROOT, "%.2f", Math.min(LONGEST_BAR, 100 * part))
                .replaceFirst("^-(0[.]00)$", "$1");
    }

    /** What cannot end a quoted name of a picture. */
    private static String plain(final String text) {
        return Printable.of(text).replaceAll("[^A-Za-z0-9 .%:/_-]", " ").strip();
    }

    private static boolean isChange(final ComparedFigure figure) {
        return figure.outcome() == Outcome.WORSE || figure.outcome() == Outcome.BETTER;
    }

    private static String line(
            final Comparison comparison, final ComparedRow row, final ComparedFigure figure) {
        final String verdict = safe(CompareWords.word(comparison, row, figure));
        return String.format(
                Locale.ROOT,
                "| %s | %s | %s | %s | %s (%s) | %s |%n",
                place(comparison, row),
                safe(CompareWords.figure(figure.name())),
                CompareWords.value(figure, figure.first().value(), Figures.ASCII),
                CompareWords.value(figure, figure.other().value(), Figures.ASCII),
                CompareWords.change(figure.effect()),
                CompareWords.interval(figure),
                isChange(figure) && !comparison.isWithinItself(row, figure)
                        ? "**" + verdict + "**"
                        : verdict);
    }

    private static String place(final Comparison comparison, final ComparedRow row) {
        final String place = CompareWords.place(row, Figures.ASCII);
        return safe(comparison.sides().size() > 2 ? row.side() + ": " + place : place);
    }

    /** Text from files becomes text, never markup. */
    private static String safe(final String text) {
        return Printable.of(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replaceAll("([\\\\`*_~\\[\\]|#@])", "\\\\$1");
    }
}
