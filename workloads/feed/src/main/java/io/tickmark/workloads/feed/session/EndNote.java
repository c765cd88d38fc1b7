package io.tickmark.workloads.feed.session;

import io.tickmark.kernel.result.CountSentence;
import io.tickmark.workloads.feed.source.SourceState;
import java.util.concurrent.TimeUnit;

/**
 * The last message to a client: why it ends, what it did not receive, and for how long the source
 * of the feed was silent where that is gone.
 */
final class EndNote {
    private EndNote() {}

    static String of(final Ending ending, final SessionFigures figures, final SourceState source) {
        return ending.kind() == Ending.Kind.LIMIT
                ? overLimit(figures, figures.sent())
                : note(
                        "The session ended: " + ending.reason() + ".",
                        figures,
                        figures.sent(),
                        source.isLost()
                                ? ",\"sourceSilentMs\":%d"
                                        .formatted(TimeUnit.NANOSECONDS.toMillis(source.silentNs()))
                                : "");
    }

    /**
     * For a client that may not have received everything that was sent to it: it counts from what
     * it has.
     */
    static String overLimit(final SessionFigures figures, final long has) {
        return note(
                CountSentence.of(
                        "More messages were waiting than may be kept for this session: %d message{|s} after number %d"
                                + " {was|were} not sent.",
                        missing(figures, has), has),
                figures,
                has,
                "");
    }

    /** For a client that was admitted but still cannot have a session. */
    static String refused(final String sentence) {
        return "{\"note\":\"end\",\"reason\":\"%s\"}".formatted(sentence);
    }

    private static long missing(final SessionFigures figures, final long has) {
        return figures.sent() + figures.waiting() - has;
    }

    private static String note(
            final String sentence,
            final SessionFigures figures,
            final long has,
            final String more) {
        return "{\"note\":\"end\",\"reason\":\"%s\",\"gapFrom\":%d,\"gapMessages\":%d,%s%s}"
                .formatted(sentence, has + 1, missing(figures, has), figures.json(), more);
    }
}
