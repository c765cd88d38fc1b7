package io.tickmark.workloads.fix.client;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.record.Counter;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * A line for every given number of messages, from a thread that reads the count twenty times a
 * second: the hot threads print nothing. Of several multiples reached at once, the last is printed.
 */
final class ProgressLines {
    private static final long LOOK_NS = 50_000_000;

    private final long every;
    private final LongSupplier count;
    private final LongConsumer line;
    private final Counter counter;
    private volatile boolean isOn;
    private Thread thread;

    /** {@code every} 0 prints nothing; the counter is kept up to date in any case. */
    ProgressLines(
            final long every,
            final LongSupplier count,
            final LongConsumer line,
            final Counter counter) {
        this.every = every;
        this.count = count;
        this.line = line;
        this.counter = counter;
    }

    void start() {
        isOn = true;
        thread = Thread.ofPlatform().daemon().name("fix-progress").start(this::watch);
    }

    private void watch() {
        Affinity.unpin(); // it is started by a hot thread, whose core is not for it
        long reported = 0;
        while (isOn) {
            reported = look(reported);
            LockSupport.parkNanos(LOOK_NS);
        }
        look(reported);
    }

    private long look(final long reported) {
        final long now = count.getAsLong();
        counter.set(now);
        if (every > 0 && now / every > reported) {
            line.accept(now / every * every);
            return now / every;
        }
        return reported;
    }

    void stop() {
        isOn = false;
        if (thread != null) {
            LockSupport.unpark(thread);
            try {
                thread.join(1_000);
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
