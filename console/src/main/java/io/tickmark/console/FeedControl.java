package io.tickmark.console;

import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.IdleStrategies;
import io.tickmark.workloads.feed.session.SessionHub;
import io.tickmark.workloads.feed.source.FeedClock;
import io.tickmark.workloads.feed.source.FeedSettings;
import org.agrona.concurrent.SystemNanoClock;

/**
 * The feed that the console has now. Whoever changes it gets a new one; sessions of the old one end
 * and are told why.
 */
final class FeedControl implements AutoCloseable {
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
                        settings, sessionThreads, time, () -> IdleStrategies.of(IdleMode.BLOCK));
        next.open();
        hub = next;
        isRunning = start;
        if (start) {
            next.start(time.clock().nanoTime());
        }
    }

    /** Another feed; the sessions of the one before end. */
    synchronized void change(final FeedSettings settings, final boolean start) {
        final SessionHub before = hub;
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
