package io.tickmark.workloads.feed.source;

import io.tickmark.transport.ChannelUri;
import java.util.List;
import org.agrona.concurrent.IdleStrategy;

/** The messages that others send on a channel of one of the engines, received by one thread. */
final class ChannelFeed implements Feed {
    private final FeedPlan plan;
    private final FeedCounts counts = new FeedCounts();
    private final ChannelReader reader;
    private final IdleStrategy idle;
    private final ChannelUri channel;
    private final Failure failure = new Failure();
    private Thread thread;
    private volatile boolean isStopped;

    ChannelFeed(
            final FeedPlan plan,
            final ChannelUri channel,
            final FeedClock time,
            final TickSink[] sinks,
            final IdleStrategy idle) {
        this.plan = plan;
        this.idle = idle;
        this.channel = channel;
        final ReceivedTicks ticks =
                new ReceivedTicks(plan.settings(), time, sinks, counts, () -> isStopped);
        reader = new ChannelReader(channel, time, ticks, counts);
    }

    @Override
    public void start(final long startNs) {
        reader.open();
        thread = Thread.ofPlatform().name("feed-0").daemon().start(this::run);
    }

    private void run() {
        try {
            while (!isStopped) {
                idle.idle(reader.work());
            }
        } catch (final Throwable e) { // nobody would ever hear of it
            failure.keep("the source " + channel, e);
        }
        reader.close();
    }

    @Override
    public FeedFigures figures() {
        return counts.figures();
    }

    @Override
    public void forgetMaxima() {
        counts.forgetMaxima();
    }

    @Override
    public String failure() {
        return failure.words();
    }

    @Override
    public List<String> symbolNames() {
        return plan.names();
    }

    @Override
    public void close() {
        isStopped = true;
        if (thread != null) {
            Threads.join(List.of(thread));
            thread = null;
        }
    }
}
