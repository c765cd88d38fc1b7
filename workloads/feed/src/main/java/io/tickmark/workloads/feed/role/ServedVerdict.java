package io.tickmark.workloads.feed.role;

import io.tickmark.kernel.loop.Column;
import io.tickmark.kernel.loop.Columns;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.result.CountSentence;
import io.tickmark.workloads.feed.session.Ending;
import io.tickmark.workloads.feed.session.HubFigures;
import io.tickmark.workloads.feed.source.FeedFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Judges a measurement by the server's own counts: each that is not zero is reported, and lost
 * messages, broken sessions or missing clients fail it.
 */
final class ServedVerdict {
    /** Flushes that were late, all of them, and in %. */
    static final String LATE_FLUSHES =
            "The flush interval was not held: %d of %d flushes {was|were} late by an interval or more"
                    + " (%.2f %%); more --session-threads, a longer interval or fewer clients would"
                    + " help.";

    private final FeedFigures feed;
    private final HubFigures before;
    private final HubFigures after;
    private final HubFigures end;
    private final ServedCounts counts = ServedCounts.COLUMNS.zero();

    /**
     * The counts of sessions, and where they are shown.
     *
     * @param overLimit sessions that were ended because too much waited for them
     * @param flushes flushes of sessions with an interval, in the measured time
     * @param lateFlushes of these, those that were late by an interval or more, though the client
     *     could take what waited
     * @param unnotified clients that could not be notified of the end of their session
     * @param clockUnanswered clients that did not take an answer with the time
     * @param endedIrregularly sessions that ended unexpectedly
     * @param failed of these, those that failed in the server
     */
    private record ServedCounts(
            @Column(metric = "overLimit") Counter overLimit,
            @Column(metric = "flushes") Counter flushes,
            @Column(metric = "lateFlushes", warning = LATE_FLUSHES) Counter lateFlushes,
            @Column(
                            metric = "unnotified",
                            warning =
                                    "%d client{ was|s were} gone, or took nothing, when {it|they} should have been told that the"
                                            + " feed had ended.")
                    Counter unnotified,
            @Column(
                            metric = "clockUnanswered",
                            warning =
                                    "%d client{|s} did not read {its|their} replies with the time: how well"
                                            + " {its clock agrees|those clients' clocks agree} is unknown.")
                    Counter clockUnanswered,
            @Column(metric = "endedIrregularly", warning = "%d session{|s} ended unexpectedly: %s.")
                    Counter endedIrregularly,
            @Column(failure = "%d session{|s} failed in the server.") Counter failed) {
        static final Columns<ServedCounts> COLUMNS = Columns.of(ServedCounts.class);
    }

    /**
     * Of what was counted.
     *
     * @param feed in the measured time
     * @param before the sessions when the measured time began
     * @param after and when it ended
     * @param end the sessions once all have ended
     */
    ServedVerdict(
            final FeedFigures feed,
            final HubFigures before,
            final HubFigures after,
            final HubFigures end) {
        this.feed = feed;
        this.before = before;
        this.after = after;
        this.end = end;
        counts.overLimit().set(end.overLimit());
        counts.flushes().set(after.flushes() - before.flushes());
        counts.lateFlushes().set(after.lateFlushes() - before.lateFlushes());
        counts.unnotified().set(end.unnotified());
        counts.clockUnanswered().set(end.clockUnanswered());
        irregular().forEach(each -> counts.endedIrregularly().add(each.getValue()));
        counts.failed().set(end.ended(Ending.Kind.FAILED));
    }

    private List<Map.Entry<Ending.Kind, Long>> irregular() {
        return end.ended().entrySet().stream()
                .filter(entry -> !entry.getKey().isRegular())
                .sorted(Map.Entry.comparingByKey())
                .toList();
    }

    /** Why the measurement failed; empty where it passed. */
    String failure() {
        final List<String> failures = new ArrayList<>();
        if (after.sent() == before.sent()) {
            failures.add(
                    after.sessions() == 0
                            ? "Nothing was served: no client had a session in the measured time."
                            : CountSentence.of(
                                    "Nothing was served: %d client{|s} had a session, and no message went to {it|them}.",
                                    after.sessions()));
        }
        failures.addAll(ServedCounts.COLUMNS.failures(counts, Map.of()));
        failures.addAll(FeedFigures.COLUMNS.failures(feed, Map.of()));
        return String.join(" ", failures);
    }

    List<String> warnings() {
        final String ends =
                irregular().stream()
                        .map(entry -> "%s %d".formatted(entry.getKey().words(), entry.getValue()))
                        .collect(Collectors.joining(", "));
        final long late = counts.lateFlushes().get();
        final long flushes = counts.flushes().get();
        final List<String> warnings = new ArrayList<>();
        warnings.addAll(
                ServedCounts.COLUMNS.warnings(
                        counts,
                        Map.of(
                                counts.endedIrregularly(),
                                List.of(ends),
                                counts.lateFlushes(),
                                List.of(flushes, 100.0 * late / flushes))));
        warnings.addAll(FeedFigures.COLUMNS.warnings(feed));
        return warnings;
    }

    /** Counts for the result. */
    Map<String, Object> metrics() {
        final Map<String, Object> metrics =
                ServedCounts.COLUMNS.metrics(counts, counts, 0, Set.of(), Map.of());
        metrics.putAll(FeedFigures.COLUMNS.metrics(feed, feed, 0, Set.of(), Map.of()));
        return metrics;
    }
}
