package io.tickmark.workloads.feed.role;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.workloads.feed.source.FeedFigures;
import io.tickmark.workloads.feed.source.FeedSettings;
import java.util.Map;

/**
 * What a feed sends in the measured time: its counters while it runs, and the step of its result.
 * Single-threaded.
 */
final class FeedStep {
    private final RoleContext context;
    private final Counter sent;
    private final Counter lag;
    private FeedFigures before;

    /** All once the measured time has begun, none before. */
    private long shownBits;

    private long sentBefore;
    private long beganNs;

    FeedStep(final RoleContext context) {
        this.context = context;
        sent = context.recording().counter(Counts.SENT);
        lag = context.recording().gauge(Counts.LAG_NS);
    }

    /** The measured time begins; {@code now} is what the feed has sent before, its maxima reset. */
    void begin(final FeedFigures now) {
        before = now;
        sentBefore = now.sent().get();
        shownBits = -1;
        beganNs = context.clock().nanoTime();
    }

    /**
     * Shows how far the feed is; messages of the warm-up are not counted. Without a branch, which
     * the measurement would be the first to take.
     */
    void update(final long sentSoFar, final long lagNs) {
        sent.set(sentSoFar - sentBefore & shownBits);
        lag.set(lagNs);
    }

    /** The measured time ends; {@code now} is what the feed has sent up to now. */
    StepResult end(final FeedFigures now, final FeedSettings feed) {
        final long durationNs = context.clock().nanoTime() - beganNs;
        final StepRecording recorded = context.recording().endStep();
        final Map<String, Long> counts =
                Counts.ofSender(
                        now.sent().get() - before.sent().get(),
                        now.maxTightSends().get(),
                        now.maxLagNs().get(),
                        now.backPressured().get() - before.backPressured().get());
        counts.putAll(recorded.counts());
        return StepResult.sent(
                0, "", feed.messageBytes(), counts, durationNs, feed.rate(), recorded.latencies());
    }
}
