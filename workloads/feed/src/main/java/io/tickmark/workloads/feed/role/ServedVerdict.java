package io.tickmark.workloads.feed.role;

import io.tickmark.kernel.loop.Column;
import io.tickmark.kernel.loop.Columns;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.result.CountSentence;
import io.tickmark.workloads.feed.session.Ending;
import io.tickmark.workloads.feed.session.FlushInterval;
import io.tickmark.workloads.feed.session.HubFigures;
import io.tickmark.workloads.feed.source.FeedFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Judges a measurement by the server's own counts: each that is not zero is reported. Messages of
 * the source that were lost, sessions that failed in the server, and clients that were missing, or
 * of which no session lasted, fail it; what else ended sessions is a warning, with what they were
 * not sent.
 */
final class ServedVerdict {
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
     *     could take what waited; a warning only where they are more than 1 %, and more than two
     * @param unnotified clients that could not be notified of the end of their session
     * @param clockUnanswered clients that did not take an answer with the time
     * @param endedIrregularly sessions that ended unexpectedly
     * @param failed of these, those that failed in the server
     * @param notSent messages that still waited for sessions that ended unexpectedly
     */
    private record ServedCounts(
            @Column(metric = "overLimit") Counter overLimit,
            @Column(metric = "flushes") Counter flushes,
            @Column(metric = "lateFlushes", warning = FlushInterval.NOT_HELD) Counter lateFlushes,
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
            @Column(failure = "%d session{|s} failed in the server.") Counter failed,
            @Column(
                            metric = "notSent",
                            warning =
                                    "%d message{ was|s were} never sent, because the sessions for which"
                                            + " {it was|they were} waiting ended unexpectedly.")
                    Counter notSent) {
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
        counts.endedIrregularly().set(irregular().mapToLong(end::ended).sum());
        counts.failed().set(end.ended(Ending.Kind.FAILED));
        counts.notSent().set(end.notSent());
    }

    /** Sessions of the measured time, also those that had begun before it. */
    private long sessions() {
        return before.sessions() + after.opened() - before.opened();
    }

    /** Of these, those that were still there at its end, or had ended as they should. */
    private long lasting() {
        return after.sessions() + after.endedRegularly() - before.endedRegularly();
    }

    private static Stream<Ending.Kind> irregular() {
        return Stream.of(Ending.Kind.values()).filter(kind -> !kind.isRegular());
    }

    /** Why the measurement failed; empty where it passed. */
    String failure() {
        final List<String> failures = new ArrayList<>();
        if (after.sent() == before.sent()) {
            failures.add(
                    sessions() == 0
                            ? "Nothing was served: no client had a session in the measured time."
                            : CountSentence.of(
                                    "Nothing was served: %d client{|s} had a session, and no message went to {it|them}.",
                                    sessions()));
        }
        if (sessions() > 0 && lasting() == 0) {
            failures.add(
                    CountSentence.of(
                            "No session lasted: {the only one|all %1$d} of the measured time ended unexpectedly (%2$s).",
                            sessions(), words(kind -> after.ended(kind) - before.ended(kind))));
            failures.add(
                    CountSentence.of(
                            "%d message{ that was|s that were} waiting {was|were} never sent.",
                            after.notSent() - before.notSent()));
        }
        failures.addAll(ServedCounts.COLUMNS.failures(counts, Map.of()));
        failures.addAll(FeedFigures.COLUMNS.failures(feed, Map.of()));
        return String.join(" ", failures);
    }

    /** Unexpected ends, by how, with their numbers. */
    private static String words(final ToLongFunction<Ending.Kind> ended) {
        return irregular()
                .filter(kind -> ended.applyAsLong(kind) > 0)
                .map(kind -> "%s %d".formatted(kind.words(), ended.applyAsLong(kind)))
                .collect(Collectors.joining(", "));
    }

    List<String> warnings() {
        final long late = counts.lateFlushes().get();
        final long flushes = counts.flushes().get();
        final ServedCounts told = ServedCounts.COLUMNS.sum(List.of(counts));
        if (FlushInterval.isHeld(flushes, late)) {
            told.lateFlushes().set(0);
        }
        final List<String> warnings = new ArrayList<>();
        warnings.addAll(
                ServedCounts.COLUMNS.warnings(
                        told,
                        Map.of(
                                told.endedIrregularly(),
                                List.of(words(end::ended)),
                                told.lateFlushes(),
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
