package io.tickmark.kernel.record;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.NanoClock;

/**
 * Dates of times on the measuring clock. The wall clock is read once, so that a step of it moves no
 * interval.
 */
final class WallTime {
    private static final DateTimeFormatter ISO =
            new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

    private final long epochMinusClockNs;

    WallTime(final NanoClock clock, final EpochNanoClock wallClock) {
        this.epochMinusClockNs = wallClock.nanoTime() - clock.nanoTime();
    }

    long epochNs(final long clockNs) {
        return epochMinusClockNs + clockNs;
    }

    double epochSeconds(final long clockNs) {
        return epochNs(clockNs) / 1e9;
    }

    /** ISO-8601 in UTC with milliseconds. */
    String iso(final long clockNs) {
        final Instant instant = Instant.ofEpochMilli(Math.floorDiv(epochNs(clockNs), 1_000_000L));
        return ISO.format(instant);
    }
}
