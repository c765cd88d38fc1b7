package io.tickmark.workloads.fix.session;

import java.time.LocalTime;
import java.util.Optional;

/**
 * The hours of a session, each day, in UTC. Sequence numbers are reset with each of them.
 *
 * @param hours none for a session that is always open
 */
public record SessionSchedule(Optional<Hours> hours) {
    /** Open at all times; sequence numbers go on for ever. */
    public static final SessionSchedule ALWAYS = new SessionSchedule(Optional.empty());

    private static final long DAY_MS = 86_400_000;

    /**
     * Hours of a day.
     *
     * @param from when it opens
     * @param until when it closes, the next day where it is not after {@code from}
     */
    public record Hours(LocalTime from, LocalTime until) {
        private long lengthMs() {
            final long lengthMs = Math.floorMod(ms(until) - ms(from), DAY_MS);
            return lengthMs == 0 ? DAY_MS : lengthMs;
        }

        private long openedMs(final long epochMs) {
            final long todayMs = epochMs - Math.floorMod(epochMs, DAY_MS) + ms(from);
            return todayMs <= epochMs ? todayMs : todayMs - DAY_MS;
        }

        private static long ms(final LocalTime time) {
            return time.toNanoOfDay() / 1_000_000;
        }
    }

    /**
     * A session of each day.
     *
     * @param from when it opens
     * @param until when it closes, the next day where it is not after {@code from}
     * @return its hours
     */
    public static SessionSchedule daily(final LocalTime from, final LocalTime until) {
        return new SessionSchedule(Optional.of(new Hours(from, until)));
    }

    /**
     * Whether the session is open.
     *
     * @param epochMs time
     * @return true from its opening to its closing
     */
    public boolean isOpen(final long epochMs) {
        return hours.isEmpty() || epochMs - openedMs(epochMs) < hours.get().lengthMs();
    }

    /**
     * When the session that is on, or was on last, opened.
     *
     * @param epochMs time
     * @return ms since 1970; 0 where it is always open
     */
    public long openedMs(final long epochMs) {
        return hours.isEmpty() ? 0 : hours.get().openedMs(epochMs);
    }
}
