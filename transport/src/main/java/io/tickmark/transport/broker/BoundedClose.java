package io.tickmark.transport.broker;

import java.time.Duration;
import org.agrona.CloseHelper;

/** Closes what a client ends only when its server has answered. */
public final class BoundedClose {
    /** A role that says nothing for fifteen seconds counts as hung, and closes several ends. */
    private static final Duration LONGEST = Duration.ofSeconds(3);

    private BoundedClose() {}

    /**
     * Closes an end, and returns after three seconds even if the server answers nothing, because it
     * is suspended or its disk is full: the closing then goes on by itself, on a daemon thread. An
     * end that cannot be closed is over all the same. Any thread.
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
            thread.join(LONGEST);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
