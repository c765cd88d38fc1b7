package io.tickmark.report;

import io.tickmark.kernel.settings.Plural;
import io.tickmark.lab.cores.Recommendation;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Ink;
import io.tickmark.report.text.Paragraph;
import io.tickmark.report.text.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Placements of hot threads side by side, best first, and the advice. */
public final class PlacementTable {
    private static final double NS_PER_US = 1e3;

    /** A machine of many NUMA nodes has three times as many. */
    private static final int MOST_ON_A_SCREEN = 8;

    private PlacementTable() {}

    /**
     * The best of them where there are many, and the advice.
     *
     * @param recommendation to show
     * @param width of the terminal
     * @return lines with line ends
     */
    public static String screen(final Recommendation recommendation, final int width) {
        return text(recommendation, width, MOST_ON_A_SCREEN);
    }

    /**
     * Table and advice.
     *
     * @param recommendation to show
     * @param width of the terminal
     * @return lines with line ends
     */
    public static String text(final Recommendation recommendation, final int width) {
        return text(recommendation, width, Integer.MAX_VALUE);
    }

    private static String text(
            final Recommendation recommendation, final int width, final int most) {
        final String unit = recommendation.byRate() ? "/s" : " us";
        final TextTable table =
                new TextTable(
                        List.of(
                                new TextTable.Column("placement", true),
                                new TextTable.Column("threads", true),
                                new TextTable.Column(
                                        (recommendation.byRate() ? "arrived" : "99%") + unit,
                                        false),
                                new TextTable.Column("min" + unit, false),
                                new TextTable.Column("max" + unit, false),
                                new TextTable.Column("repeats", false),
                                new TextTable.Column("failed", false)),
                        2);
        final List<Recommendation.Score> scores = recommendation.scores();
        final int shown = Math.min(scores.size(), most);
        for (final Recommendation.Score score : scores.subList(0, shown)) {
            table.add(
                    List.of(
                            score.placement().name(),
                            score.placement().words(),
                            figure(recommendation, score.figure().median()),
                            figure(recommendation, score.figure().min()),
                            figure(recommendation, score.figure().max()),
                            Integer.toString(score.repeats()),
                            Integer.toString(score.failed())));
        }
        final List<String> lines = new ArrayList<>();
        lines.add("");
        lines.addAll(table.lines(width, Ink.PLAIN));
        if (shown < scores.size()) {
            lines.addAll(
                    Paragraph.lines(
                            "and %s with --verbose."
                                    .formatted(Plural.of(scores.size() - shown, "more placement")),
                            width));
        }
        lines.addAll(Paragraph.lines(recommendation.sentence(), width));
        return String.join("\n", lines) + "\n";
    }

    private static String figure(final Recommendation recommendation, final double value) {
        return recommendation.byRate()
                ? Figures.count(Math.round(value))
                : String.format(Locale.ROOT, "%.2f", value / NS_PER_US);
    }
}
