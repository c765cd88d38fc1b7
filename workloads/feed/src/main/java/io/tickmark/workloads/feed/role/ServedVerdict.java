package io.tickmark.workloads.feed.role;

import io.tickmark.workloads.feed.session.Ending;
import io.tickmark.workloads.feed.session.HubFigures;
import io.tickmark.workloads.feed.source.FeedFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Judges a measurement by the server's own counts: each that is not zero is reported, and lost
 * messages, broken sessions or missing clients fail it.
 *
 * @param feedBefore the feed when the measured time began
 * @param feedAfter and when it ended
 * @param before the sessions when the measured time began
 * @param after and when it ended
 * @param end the sessions once all have ended
 */
record ServedVerdict(
        FeedFigures feedBefore,
        FeedFigures feedAfter,
        HubFigures before,
        HubFigures after,
        HubFigures end) {

    /** Why the measurement failed; empty where it passed. */
    String failure() {
        final List<String> failures = new ArrayList<>();
        if (after.sent() == before.sent()) {
            failures.add(
                    after.sessions() == 0
                            ? "Nothing was served: no client had a session in the measured time."
                            : "Nothing was served: %d clients had a session, and no message went to them."
                                    .formatted(after.sessions()));
        }
        final long failed = end.ended(Ending.Kind.FAILED);
        if (failed > 0) {
            failures.add("%d sessions failed in the server.".formatted(failed));
        }
        final long lost = feedAfter.lost().get() - feedBefore.lost().get();
        if (lost > 0) {
            failures.add(
                    "%d messages of the source were lost on the way to the server."
                            .formatted(lost));
        }
        return String.join(" ", failures);
    }

    List<String> warnings() {
        final List<String> warnings = new ArrayList<>();
        final String irregular =
                end.ended().entrySet().stream()
                        .filter(entry -> !entry.getKey().isRegular())
                        .sorted(Map.Entry.comparingByKey())
                        .map(entry -> "%s %d".formatted(entry.getKey().words(), entry.getValue()))
                        .collect(Collectors.joining(", "));
        if (!irregular.isEmpty()) {
            warnings.add("Sessions ended unexpectedly: " + irregular + ".");
        }
        if (end.unnotified() > 0) {
            warnings.add(
                    "%d clients were gone, or took nothing, when they should have been told that the feed had ended."
                            .formatted(end.unnotified()));
        }
        if (end.clockUnanswered() > 0) {
            warnings.add(
                    "%d clients did not read their replies with the time: how well those clients' clocks agree is unknown."
                            .formatted(end.clockUnanswered()));
        }
        final long skipped = feedAfter.skipped().get() - feedBefore.skipped().get();
        if (skipped > 0) {
            warnings.add(
                    "%d messages of the source were damaged, foreign or of no symbol, and skipped."
                            .formatted(skipped));
        }
        final long fromArrival = feedAfter.fromArrival().get() - feedBefore.fromArrival().get();
        if (fromArrival > 0) {
            warnings.add(
                    ("The times of %d messages count from when they arrived here: their source is on another host, whose clock"
                                    + " is not this one's. A plan with 'hosts' aligns the clocks.")
                            .formatted(fromArrival));
        }
        final long missed = after.missedFlushes() - before.missedFlushes();
        final long flushes = after.flushes() - before.flushes();
        if (missed > 0) {
            warnings.add(
                    ("The flush interval was not held: %d of %d flushes were missed (%.2f %%), their messages went with the"
                                    + " next; more --session-threads, a longer interval or fewer clients would help.")
                            .formatted(
                                    missed, missed + flushes, 100.0 * missed / (missed + flushes)));
        }
        return warnings;
    }

    /** Counts for the result. */
    void addTo(final Map<String, Object> metrics) {
        metrics.put("overLimit", end.overLimit());
        metrics.put("flushes", after.flushes() - before.flushes());
        metrics.put("missedFlushes", after.missedFlushes() - before.missedFlushes());
        metrics.put("unnotified", end.unnotified());
        metrics.put("clockUnanswered", end.clockUnanswered());
        metrics.put("sourceLost", feedAfter.lost().get() - feedBefore.lost().get());
        metrics.put(
                "sourceFromArrival",
                feedAfter.fromArrival().get() - feedBefore.fromArrival().get());
        metrics.put("sourceSkipped", feedAfter.skipped().get() - feedBefore.skipped().get());
        metrics.put(
                "endedIrregularly",
                end.ended().entrySet().stream()
                        .filter(entry -> !entry.getKey().isRegular())
                        .mapToLong(Map.Entry::getValue)
                        .sum());
    }
}
