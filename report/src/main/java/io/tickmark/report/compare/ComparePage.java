package io.tickmark.report.compare;

import io.tickmark.lab.compare.Comparison;
import io.tickmark.lab.compare.Gate;
import io.tickmark.lab.compare.Outcome;
import io.tickmark.lab.json.Json;
import io.tickmark.report.page.HtmlFile;
import io.tickmark.report.text.Figures;
import java.util.List;

/**
 * A comparison as one HTML file without network access: the picture of the intervals, and all
 * figures.
 */
public final class ComparePage {
    private static final int WIDTH = 120;

    private ComparePage() {}

    /**
     * What the page shows, as its script declares it.
     *
     * @param kind tells the script which page it is
     * @param conclusion sentence
     * @param verdict {@code pass}, {@code fail} (something is worse) or {@code void} (all too
     *     noisy)
     * @param meaning sentence
     * @param places name of each row, in the order of the rows
     * @param comparison all of it
     */
    private record Data(
            String kind,
            String conclusion,
            String verdict,
            String meaning,
            List<String> places,
            Comparison comparison) {}

    /**
     * Composes the file.
     *
     * @param comparison to show
     * @return HTML
     */
    public static String of(final Comparison comparison) {
        final Data data =
                new Data(
                        "comparison",
                        conclusion(comparison),
                        verdict(comparison),
                        CompareWords.meaning(comparison),
                        comparison.rows().stream()
                                .map(row -> CompareWords.place(row, Figures.TYPOGRAPHIC))
                                .toList(),
                        comparison);
        return HtmlFile.of(
                "tickmark: comparison",
                Json.line().writeValueAsString(data),
                new CompareTables(WIDTH, false).render(comparison));
    }

    private static String conclusion(final Comparison comparison) {
        final Gate gate = comparison.gate();
        return gate == null
                ? CompareWords.conclusion(comparison)
                : CompareWords.judgement(comparison, gate)
                        + " "
                        + CompareWords.resolution(comparison, gate, Figures.TYPOGRAPHIC);
    }

    private static String verdict(final Comparison comparison) {
        final Gate gate = comparison.gate();
        if (gate != null) {
            return switch (gate.verdict()) {
                case PASSED -> "pass";
                case WORSE -> "fail";
                case UNDECIDED -> "void";
            };
        }
        if (comparison.count(Outcome.WORSE) > 0) {
            return "fail";
        }
        return comparison.count(Outcome.BETTER) + comparison.count(Outcome.NO_DIFFERENCE) > 0
                ? "pass"
                : "void";
    }
}
