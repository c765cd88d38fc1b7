package io.tickmark.report;

import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.SearchSummary;
import io.tickmark.kernel.result.SearchSummary.SearchTrial;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.TextTable;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The bounds that searches for the highest rate found, and the trials that led there. */
final class SearchTables {
    private static final double NS_PER_S = 1e9;
    private static final double PERCENT = 100;

    /** Note below a table with unconfirmed bounds. */
    static final String UNCONFIRMED =
            "* Best bound so far, unconfirmed: the search was ended before it had an answer.";

    private SearchTables() {}

    /**
     * One row for each search.
     *
     * @param run any result
     * @return the table, empty where nothing was searched
     */
    static Optional<TextTable> bounds(final RunResult run) {
        if (run.searches().isEmpty()) {
            return Optional.empty();
        }
        final TextTable table =
                new TextTable(
                        List.of(
                                new TextTable.Column("test", true),
                                new TextTable.Column("channel", true),
                                new TextTable.Column("held/s", false),
                                new TextTable.Column("not held/s", false),
                                new TextTable.Column(
                                        "%.0f %% from/s"
                                                .formatted(
                                                        PERCENT
                                                                * run.searches()
                                                                        .getFirst()
                                                                        .confidence()),
                                        false),
                                new TextTable.Column("to/s", false),
                                new TextTable.Column("soaked/s", false),
                                new TextTable.Column("trials", false),
                                new TextTable.Column("search s", false)),
                        2);
        for (final SearchSummary search : run.searches()) {
            table.add(
                    List.of(
                            search.test(),
                            search.channel(),
                            bound(search, search.lowerBoundPerSecond()),
                            bound(search, search.upperBoundPerSecond()),
                            rate(search.lowPerSecond()),
                            rate(search.highPerSecond()),
                            rate(search.strictRatePerSecond()),
                            Figures.count(search.trials().size()),
                            Figures.digits(search.searchNs() / NS_PER_S)));
        }
        return Optional.of(table);
    }

    /**
     * One row for each trial of a search.
     *
     * @param search to show
     * @return the table
     */
    static TextTable trials(final SearchSummary search) {
        final TextTable table =
                new TextTable(
                        List.of(
                                new TextTable.Column("trial", false),
                                new TextTable.Column("for", true),
                                new TextTable.Column("seconds", false),
                                new TextTable.Column("offered/s", false),
                                new TextTable.Column("achieved/s", false),
                                new TextTable.Column("outcome", true)),
                        2);
        int number = 0;
        for (final SearchTrial trial : search.trials()) {
            number++;
            table.add(
                    List.of(
                            Integer.toString(number),
                            word(trial.purpose()),
                            Figures.digits(trial.durationNs() / NS_PER_S),
                            trial.ratePerSecond() > 0
                                    ? Figures.count(Math.round(trial.ratePerSecond()))
                                    : "max",
                            Figures.count(Math.round(trial.achievedPerSecond())),
                            word(trial.outcome()) + (trial.disturbed() ? ", disturbed" : "")));
        }
        return table;
    }

    /** The best bounds of a stopped search have a star, which {@link #UNCONFIRMED} explains. */
    private static String bound(final SearchSummary search, final double perSecond) {
        return rate(perSecond) + (perSecond > 0 && search.boundsAreUnconfirmed() ? "*" : "");
    }

    private static String rate(final double perSecond) {
        return perSecond > 0 ? Figures.count(Math.round(perSecond)) : "n/a";
    }

    private static String word(final Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
