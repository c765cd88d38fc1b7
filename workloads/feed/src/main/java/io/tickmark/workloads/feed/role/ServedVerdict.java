package io.tickmark.workloads.feed.role;

import io.tickmark.kernel.result.CountSentence;
import io.tickmark.workloads.feed.session.Ending;
import io.tickmark.workloads.feed.session.FlushInterval;
import io.tickmark.workloads.feed.session.HubFigures;
import io.tickmark.workloads.feed.session.HubFigures.SessionCounts;
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
    private final SessionCounts measured;

    /** Until the end; of flushes only those of the measured time. */
    private final SessionCounts counts;

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
        measured = SessionCounts.COLUMNS.minus(after.counts(), before.counts());
        counts = SessionCounts.COLUMNS.sum(List.of(end.counts()));
        counts.flushes().set(measured.flushes().get());
        counts.lateFlushes().set(measured.lateFlushes().get());
    }

    /** Sessions of the measured time, also those that had begun before it. */
    private long sessions() {
        return before.sessions() + measured.opened().get();
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
        if (measured.sent().get() == 0) {
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
                            measured.notSent().get()));
        }
        failures.addAll(SessionCounts.COLUMNS.failures(counts, Map.of()));
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
        final SessionCounts told = SessionCounts.COLUMNS.sum(List.of(counts));
        if (FlushInterval.isHeld(flushes, late)) {
            told.lateFlushes().set(0);
        }
        final List<String> warnings = new ArrayList<>();
        warnings.addAll(
                SessionCounts.COLUMNS.warnings(
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
                SessionCounts.COLUMNS.metrics(counts, counts, 0, Set.of(), Map.of());
        metrics.putAll(FeedFigures.COLUMNS.metrics(feed, feed, 0, Set.of(), Map.of()));
        return metrics;
    }
}
