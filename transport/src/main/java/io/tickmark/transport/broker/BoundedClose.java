package io.tickmark.transport.broker;

import java.util.function.BooleanSupplier;
import org.agrona.CloseHelper;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Closes ends whose servers may answer nothing. A role that says nothing for fifteen seconds counts
 * as hung, and it may close many ends one after the other: once a server has not answered in time,
 * all waits that follow soon are brief, whichever server they are for, until one answers again.
 */
public final class BoundedClose {
    private static final long LONGEST_NS = 3_000_000_000L;

    /** Of all servers of this process. */
    static final Silence SILENCE = new Silence(SystemNanoClock.INSTANCE);

    private BoundedClose() {}

    /**
     * Closes an end, and returns after three seconds even if the server answers nothing, because it
     * is suspended or its disk is full: the closing then goes on by itself, on a daemon thread, and
     * waits in the ten seconds after it last 200 ms or less. An end that cannot be closed is over
     * all the same. Any thread.
     *
     * @param end to close; a limit of its own is longer than three seconds, or nobody would notice
     *     that the server was silent
     */
    public static void of(final AutoCloseable end) {
        final Thread thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("bounded-close")
                        .start(() -> CloseHelper.quietClose(end));
        await(LONGEST_NS, () -> !thread.isAlive());
    }

    /**
     * Waits for what a server has to do before an end is closed; returns early where the thread is
     * interrupted. Any thread.
     *
     * @param longestNs longest wait, where no server was silent just before
     * @param isDone checked ten times a millisecond
     */
    public static void await(final long longestNs, final BooleanSupplier isDone) {
        final long beganNs = SILENCE.nowNs();
        Flight.awaitUntil(SILENCE.longestNs(longestNs, beganNs), isDone);
        if (!isDone.getAsBoolean() && !Thread.currentThread().isInterrupted()) {
            SILENCE.note(beganNs);
        }
    }

    /**
     * A server has let an end be opened: waits are no longer brief, even if one has just timed out.
     * To be called once the end is open. Any thread.
     */
    public static void serverAnswered() {
        SILENCE.forget();
    }

    /** Whether a server has just failed to answer in time. Any thread. */
    static final class Silence {
        /** Of waits soon after one that timed out. */
        private static final long BRIEF_NS = 200_000_000;

        /** Of those after some seconds: a role may have hundreds of ends. */
        private static final long BRIEFEST_NS = 10_000_000;

        private static final long SECONDS_NS = 3_000_000_000L;
        private static final long SOON_NS = 10_000_000_000L;

        private final NanoClock clock;

        /** When the last wait of the usual length timed out; long ago where none counts. */
        private volatile long timedOutNs;

        Silence(final NanoClock clock) {
            this.clock = clock;
            forget();
        }

        long nowNs() {
            return clock.nanoTime();
        }

        /** For a wait that begins at a time. */
        long longestNs(final long usualNs, final long beganNs) {
            final long sinceNs = beganNs - timedOutNs;
            if (sinceNs >= SOON_NS) {
                return usualNs;
            }
            return Math.min(usualNs, sinceNs < SECONDS_NS ? BRIEF_NS : BRIEFEST_NS);
        }

        /**
         * A wait that began at a time has timed out; a brief one shows nothing, as a busy server
         * needs longer.
         */
        void note(final long beganNs) {
            if (beganNs - timedOutNs >= SOON_NS) {
                timedOutNs = clock.nanoTime();
            }
        }

        /** A server has answered. */
        void forget() {
            timedOutNs = clock.nanoTime() - SOON_NS;
        }
    }
}
