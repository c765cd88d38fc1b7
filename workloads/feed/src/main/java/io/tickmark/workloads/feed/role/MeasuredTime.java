package io.tickmark.workloads.feed.role;

import io.tickmark.kernel.settings.Setting;
import java.time.Duration;

/**
 * When to measure; the same for server and clients.
 *
 * @param warmUp how long the feed runs before it is measured
 * @param duration of the measurement
 */
public record MeasuredTime(
        @Setting(
                        help = "Time for which the feed runs before it is measured.",
                        byDefault = "2s",
                        min = 0,
                        max = 3.6e12)
                Duration warmUp,
        @Setting(help = "Time that is measured.", byDefault = "10s", min = 1e8, max = 8.64e13)
                Duration duration) {

    long fromNs(final long startNs) {
        return startNs + warmUp.toNanos();
    }

    long toNs(final long startNs) {
        return fromNs(startNs) + duration.toNanos();
    }

    long wholeNs() {
        return warmUp.toNanos() + duration.toNanos();
    }
}
