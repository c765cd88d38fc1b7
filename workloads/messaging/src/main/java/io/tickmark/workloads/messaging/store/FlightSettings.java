package io.tickmark.workloads.messaging.store;

import io.tickmark.kernel.settings.Setting;
import java.time.Duration;

/**
 * How far a publisher may be ahead of its store; without effect in plain streaming.
 *
 * @param flightSize most messages of a topic that may be in flight
 * @param flightBytes most bytes of a topic that may be in flight; 0 for no limit
 * @param storeWarmUp time for which a tenth of the rate is sent before
 */
public record FlightSettings(
        @Setting(
                        help =
                                "With a store: maximum messages of a topic that may be sent but not yet stable; the next one"
                                        + " waits, and is counted.",
                        byDefault = "100000",
                        min = 1,
                        max = 1 << 24)
                int flightSize,
        @Setting(
                        help = "With a store: the same in bytes; 0 for no bound.",
                        byDefault = "0",
                        unit = "bytes",
                        min = 0,
                        max = 1e12)
                long flightBytes,
        @Setting(
                        help =
                                "With a store: how long to send at a tenth of the rate beforehand, or at 1000 msg/s where"
                                        + " there is no rate; those messages must arrive and are not timed.",
                        byDefault = "3s",
                        min = 0,
                        max = 3.6e12)
                Duration storeWarmUp) {
    /** Used where no rate is requested. */
    private static final double UNPACED_WARM_UP_RATE = 1000;

    /**
     * The rate of the warm-up.
     *
     * @param ratePerSecond of the measurement, 0 for none
     * @return messages per second
     */
    public double warmUpRatePerSecond(final double ratePerSecond) {
        return ratePerSecond > 0 ? ratePerSecond / 10 : UNPACED_WARM_UP_RATE;
    }
}
