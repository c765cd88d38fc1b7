package io.tickmark.transport.broker;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.SystemNanoClock;

/**
 * How long a server that is not ready yet is asked again: {@code while (!isReady()) if
 * (!patience.lasts()) throw ...}. Control threads only.
 */
public final class Patience {
    private final long startNs = SystemNanoClock.INSTANCE.nanoTime();
    private final long longestNs;
    private final long pauseNs;

    /**
     * Begins now.
     *
     * @param longest time until it ends
     * @param pause between two attempts
     */
    public Patience(final Duration longest, final Duration pause) {
        longestNs = longest.toNanos();
        pauseNs = pause.toNanos();
    }

    /**
     * Waits for the next attempt.
     *
     * @return false, without waiting, once the time is over or the thread was interrupted
     */
    public boolean lasts() {
        if (Thread.currentThread().isInterrupted()
                || SystemNanoClock.INSTANCE.nanoTime() - startNs > longestNs) {
            return false;
        }
        LockSupport.parkNanos(pauseNs);
        return true;
    }
}
