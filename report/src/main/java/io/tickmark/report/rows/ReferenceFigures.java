package io.tickmark.report.rows;

import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.SearchSummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Printable;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Answers of searches beside figures of another source, both in proportion to the first of them: a
 * machine is not the other's, so that only the proportions can be compared. What stood in for the
 * other's engine, and how faithful, stands in each row.
 */
public final class ReferenceFigures {
    private static final String NO_STORE = "none";

    private ReferenceFigures() {}

    /**
     * One row for each search that has such a figure.
     *
     * @param run any result
     * @return the table, empty where there is none
     */
    public static Optional<SideTable> of(final RunResult run) {
        final List<SearchSummary> all =
                run.searches().stream().filter(each -> each.referencePerSecond() > 0).toList();
        if (all.isEmpty()) {
            return Optional.empty();
        }
        final SearchSummary first = all.getFirst();
        return Optional.of(
                new SideTable(
                        "Beside figures of another source",
                        1,
                        6,
                        List.of(
                                "test",
                                "engine",
                                "deletion",
                                "class",
                                "reference",
                                "how faithful",
                                "stores",
                                "held/s",
                                "to first",
                                "reference/s",
                                "to first"),
                        all.stream().map(search -> row(run, search, first)).toList()));
    }

    private static List<String> row(
            final RunResult run, final SearchSummary search, final SearchSummary first) {
        final Optional<TrialResult> trial =
                run.trials().stream()
                        .filter(each ->
                                each.test().equals(search.test())
                                        && each.channel().equals(search.channel()))
                        .findFirst();
        return List.of(
                Printable.of(search.test()),
                Printable.of(engine(search.channel())),
                trial.map(each -> said(each, "deletion")).orElse(StoredFigures.NONE),
                trial.map(each -> said(each, "durability").replaceFirst(" .*", ""))
                        .orElse(StoredFigures.NONE),
                Printable.of(search.reference()),
                Printable.of(search.fidelity()),
                trial.map(ReferenceFigures::stores).orElse(StoredFigures.NONE),
                rate(counted(search)),
                ratio(counted(search), counted(first)),
                rate(search.referencePerSecond()),
                ratio(search.referencePerSecond(), first.referencePerSecond()));
    }

    /** The channel without its parameters. */
    private static String engine(final String channel) {
        return channel.replaceFirst("[?].*", "").replaceFirst(":$", "");
    }

    private static String said(final TrialResult trial, final String metric) {
        return StoredFigures.stores(trial) == 0 ? NO_STORE : StoredFigures.said(trial, metric);
    }

    /** Processes that keep messages: stores times the members of each. */
    private static String stores(final TrialResult trial) {
        final long stores = StoredFigures.stores(trial);
        final String members = StoredFigures.said(trial, "members");
        return stores == 0 || members.equals("1") || members.equals(StoredFigures.NONE)
                ? Long.toString(stores)
                : stores == 1 ? members : stores + " x " + members;
    }

    private static double counted(final SearchSummary search) {
        return search.boundsAreUnconfirmed() // no answer to be held against another
                ? 0
                : search.lowerBoundPerSecond() * search.messagesPerSend();
    }

    private static String ratio(final double one, final double other) {
        return one > 0 && other > 0 ? String.format(Locale.ROOT, "%.2f", one / other) : "n/a";
    }

    private static String rate(final double perSecond) {
        return perSecond > 0 ? Figures.count(Math.round(perSecond)) : "n/a";
    }
}
