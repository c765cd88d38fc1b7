package io.tickmark.transport.broker;

import java.time.Duration;
import org.agrona.CloseHelper;
import org.agrona.concurrent.SystemNanoClock;

/** Closes what a client ends only when its server has answered. */
public final class BoundedClose {
    /** A role that says nothing for fifteen seconds counts as hung, and closes several ends. */
    private static final Duration LONGEST = Duration.ofSeconds(3);

    /** Of ends that are closed soon after one that was not answered. */
    private static final Duration NEXT = Duration.ofMillis(200);

    private static final long SOON_NS = Duration.ofSeconds(10).toNanos();
    private static final long NEVER = Long.MIN_VALUE;

    /** When a server last answered nothing. */
    private static volatile long silentNs = NEVER;

    private BoundedClose() {}

    /**
     * Closes an end, and returns after three seconds even if the server answers nothing, because it
     * is suspended or its disk is full: the closing then goes on by itself, on a daemon thread, and
     * ends that are closed in the ten seconds after it are waited for 200 ms only. An end that
     * cannot be closed is over all the same. Any thread.
     *
     * @param end to close
     */
    public static void of(final AutoCloseable end) {
        final Thread thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("bounded-close")
                        .start(() -> CloseHelper.quietClose(end));
        try {
            if (!thread.join(isSilent() ? NEXT : LONGEST)) {
                silentNs = SystemNanoClock.INSTANCE.nanoTime();
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isSilent() {
        final long sinceNs = silentNs;
        return sinceNs != NEVER && SystemNanoClock.INSTANCE.nanoTime() - sinceNs < SOON_NS;
    }
}
