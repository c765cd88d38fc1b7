package io.tickmark.workloads.feed.source;

import java.time.Duration;
import java.util.Collection;

/** Waits for threads that were stopped. */
public final class Threads {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private Threads() {}

    /**
     * Waits for each, a few seconds at most.
     *
     * @param threads that were requested to end
     */
    public static void join(final Collection<Thread> threads) {
        for (final Thread thread : threads) {
            try {
                if (!thread.join(PATIENCE)) {
                    thread.interrupt();
                }
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
