package io.tickmark.console;

import io.tickmark.kernel.role.IdleStrategies;
import io.tickmark.workloads.feed.session.SessionHub;
import io.tickmark.workloads.feed.source.FeedClock;
import io.tickmark.workloads.feed.source.FeedSettings;
import org.agrona.concurrent.SystemNanoClock;

/**
 * The current feed of the console. A change creates a new one; sessions of the old one end and
 * their clients are notified why.
 */
final class FeedControl implements AutoCloseable {
    /**
     * Pause of a thread that finds nothing to do: messages that arrive meanwhile are sent in one
     * write, which spares a browser on the same cores far more than it costs a message.
     */
    private static final long PAUSE_NS = 200_000;

    private final int sessionThreads;
    private final FeedClock time = FeedClock.from(SystemNanoClock.INSTANCE);
    private volatile SessionHub hub;
    private volatile boolean isRunning;

    FeedControl(final FeedSettings settings, final int sessionThreads, final boolean isRunning) {
        this.sessionThreads = sessionThreads;
        open(settings, isRunning);
    }

    private void open(final FeedSettings settings, final boolean start) {
        final SessionHub next =
                new SessionHub(
                        settings,
                        sessionThreads,
                        time,
                        _ -> IdleStrategies.pausing(PAUSE_NS, SystemNanoClock.INSTANCE));
        try {
            next.open();
            if (start) {
                next.start(time.clock().nanoTime());
            }
        } catch (final RuntimeException e) {
            next.close();
            throw e;
        }
        hub = next;
        isRunning = start;
    }

    /**
     * Another feed; the sessions of the one before end. Where there is none, the feed is paused.
     */
    synchronized void change(final FeedSettings settings, final boolean start) {
        final SessionHub before = hub;
        before.stopFeed(); // a channel takes one receiver of a name
        isRunning = false; // also where the next cannot be opened
        open(settings, start);
        before.close();
    }

    SessionHub hub() {
        return hub;
    }

    boolean isRunning() {
        return isRunning;
    }

    FeedClock time() {
        return time;
    }

    @Override
    public synchronized void close() {
        hub.close();
    }
}
