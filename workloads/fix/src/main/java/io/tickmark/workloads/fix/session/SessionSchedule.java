package io.tickmark.workloads.fix.session;

import java.time.LocalTime;

/**
 * The hours of a session, each day, in UTC. Sequence numbers begin anew with each of them.
 *
 * @param from when it opens
 * @param until when it closes, the next day where it is before {@code from}; the same time for
 *     always
 */
public record SessionSchedule(LocalTime from, LocalTime until) {
    /** Open at all times; sequence numbers go on for ever. */
    public static final SessionSchedule ALWAYS =
            new SessionSchedule(LocalTime.MIDNIGHT, LocalTime.MIDNIGHT);

    private static final long DAY_MS = 86_400_000;

    /**
     * Whether the session is open.
     *
     * @param epochMs time
     * @return true from its opening to its closing
     */
    public boolean isOpen(final long epochMs) {
        return isAlways() || epochMs - openedMs(epochMs) < lengthMs();
    }

    /**
     * When the session that is on, or was on last, opened.
     *
     * @param epochMs time
     * @return ms since 1970; 0 where it is always open
     */
    public long openedMs(final long epochMs) {
        if (isAlways()) {
            return 0;
        }
        final long dayMs = epochMs - Math.floorMod(epochMs, DAY_MS);
        final long todayMs = dayMs + ms(from);
        return todayMs <= epochMs ? todayMs : todayMs - DAY_MS;
    }

    private boolean isAlways() {
        return from.equals(until);
    }

    private long lengthMs() {
        return Math.floorMod(ms(until) - ms(from), DAY_MS);
    }

    private static long ms(final LocalTime time) {
        return time.toNanoOfDay() / 1_000_000;
    }
}
