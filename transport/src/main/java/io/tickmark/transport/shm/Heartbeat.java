package io.tickmark.transport.shm;

import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.NanoClock;

/**
 * Publishes periodically that this process is alive, and checks whether another one is. The clock
 * is read once in {@link #CALLS_PER_LOOK} calls; processes are looked up only when their heartbeat
 * is old.
 */
final class Heartbeat {
    /** Idle calls between two looks at the clock. */
    static final int CALLS_PER_LOOK = 256;

    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long OLD_NS = TimeUnit.SECONDS.toNanos(1);

    private final NanoClock clock;
    private final AtomicBuffer buffer;
    private final int offset;
    private int calls;
    private long lastNs;

    /** Beats at an offset of a buffer. */
    Heartbeat(final NanoClock clock, final AtomicBuffer buffer, final int offset) {
        this.clock = clock;
        this.buffer = buffer;
        this.offset = offset;
        this.lastNs = clock.nanoTime();
        buffer.putLongRelease(offset, lastNs);
    }

    /** To be called when idle; true when it is time to check the other side. */
    boolean beat() {
        if (++calls < CALLS_PER_LOOK) {
            return false;
        }
        calls = 0;
        final long nowNs = clock.nanoTime();
        if (nowNs - lastNs < INTERVAL_NS) {
            return false;
        }
        lastNs = nowNs;
        buffer.putLongRelease(offset, nowNs);
        return true;
    }

    /** The thread has slept: the next call reads the clock. */
    void slept() {
        calls = CALLS_PER_LOOK - 1;
    }

    /** Whether another one's heartbeat is so old that its process has to be looked up. */
    boolean isOld(final int offsetOfOther) {
        return Math.abs(clock.nanoTime() - buffer.getLongVolatile(offsetOfOther)) > OLD_NS;
    }
}
