package io.tickmark.workloads.feed.session;

/** The last that a client is told: why it ends, and what it did not get. */
final class EndNote {
    private EndNote() {}

    static String of(final String reason, final SessionFigures figures) {
        final String sentence =
                reason.equals("limit")
                        ? "More than the limit of the session waited: %d messages after number %d were not sent."
                                .formatted(figures.waiting() + 1, figures.sent())
                        : "The session ended: " + reason + ".";
        return "{\"note\":\"end\",\"reason\":\"%s\",\"gapFrom\":%d,\"gapMessages\":%d,%s}"
                .formatted(
                        sentence,
                        figures.sent() + 1,
                        reason.equals("limit") ? figures.waiting() + 1 : figures.waiting(),
                        figures.json());
    }
}
