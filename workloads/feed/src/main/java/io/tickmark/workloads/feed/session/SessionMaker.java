package io.tickmark.workloads.feed.session;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.feed.conflate.ConflationPolicies;
import io.tickmark.workloads.feed.conflate.KeptBytes;
import io.tickmark.workloads.feed.conflate.OutboundQueue;
import io.tickmark.workloads.feed.conflate.QueueContext;
import io.tickmark.workloads.feed.source.Failure;
import io.tickmark.workloads.feed.source.FeedSettings;
import io.tickmark.workloads.feed.tick.LastValues;

/** Makes sessions of one feed, where what a client wants can be had. Any thread. */
final class SessionMaker {
    /** What a queue has for each symbol, whatever waits: places in its rings, and times. */
    private static final int BYTES_PER_SYMBOL = 32;

    private static final int BYTES_PER_MB = 1_000_000;

    private final ConflationPolicies policies = new ConflationPolicies();
    private final FeedSettings feed;
    private final KeptBytes kept;

    /** A maker whose sessions keep so much together. */
    SessionMaker(final FeedSettings feed, final KeptBytes kept) {
        this.feed = feed;
        this.kept = kept;
    }

    void check(final SessionSettings wanted) {
        policies.find(wanted.conflation());
        if (wanted.firstSymbol() + (long) Math.max(1, wanted.symbolCount()) > feed.symbols()) {
            throw UserError.usage(
                    "firstSymbol "
                            + wanted.firstSymbol()
                            + " and symbolCount "
                            + wanted.symbolCount()
                            + ": the feed has "
                            + feed.symbols()
                            + " symbols; ask for fewer.");
        }
    }

    /** A session that was checked; whoever has it releases it. */
    Session make(final String id, final SessionSettings wanted, final LastValues values) {
        final int count =
                wanted.symbolCount() == 0
                        ? feed.symbols() - wanted.firstSymbol()
                        : wanted.symbolCount();
        final QueueContext context =
                new QueueContext(
                        wanted.firstSymbol(),
                        count,
                        wanted.minGapNs(),
                        wanted.limitBytes(),
                        feed.messageBytes(),
                        values,
                        share(wanted, count));
        return new Session(id, wanted, context, queue(wanted, context));
    }

    private KeptBytes.Share share(final SessionSettings wanted, final int symbols) {
        final KeptBytes.Share share = kept.share();
        if (!share.take((long) wanted.windowFrames() * Long.BYTES + symbols * BYTES_PER_SYMBOL)) {
            throw UserError.environment(
                    ("All sessions of this server may keep %d MB together, and do; ask for fewer symbols or a"
                                    + " smaller window, or try again later.")
                            .formatted(kept.maxBytes() / BYTES_PER_MB));
        }
        return share;
    }

    private OutboundQueue queue(final SessionSettings wanted, final QueueContext context) {
        try {
            return policies.find(wanted.conflation()).queue(context);
        } catch (final RuntimeException | LinkageError e) {
            context.kept().release();
            throw UserError.environment(
                    "conflation policy '%s' failed: %s."
                            .formatted(wanted.conflation(), Failure.words(e)),
                    e);
        }
    }
}
