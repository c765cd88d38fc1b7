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
     * @param title what is compared
     * @param resolution what the machine could have detected, a sentence; empty where no build
     *     waits for it
     * @param conclusion sentence
     * @param verdict {@code pass}, {@code fail} (something is worse) or {@code void} (all too
     *     noisy, or undecided)
     * @param word verdict in a word or three
     * @param meaning sentence
     * @param places name of each row, in the order of the rows
     * @param comparison all of it
     */
    private record Data(
            String kind,
            String title,
            String resolution,
            String conclusion,
            String verdict,
            String word,
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
        final Gate gate = comparison.gate();
        final String title = CompareWords.title(comparison);
        final String verdict = verdict(comparison);
        final Data data =
                new Data(
                        "comparison",
                        title,
                        gate == null
                                ? ""
                                : CompareWords.resolution(comparison, gate, Figures.TYPOGRAPHIC),
                        gate == null
                                ? CompareWords.conclusion(comparison)
                                : CompareWords.judgement(comparison, gate),
                        verdict,
                        word(verdict, gate != null),
                        CompareWords.meaning(comparison),
                        comparison.rows().stream()
                                .map(row -> CompareWords.place(row, Figures.TYPOGRAPHIC))
                                .toList(),
                        comparison);
        return HtmlFile.of(
                title + " - tickmark",
                Json.line().writeValueAsString(data),
                new CompareTables(WIDTH, false).render(comparison));
    }

    private static String word(final String verdict, final boolean isGate) {
        return switch (verdict) {
            case "pass" -> "Nothing is worse";
            case "fail" -> "Worse";
            default -> isGate ? "Undecided" : "Too noisy";
        };
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
