package io.tickmark.workloads.messaging;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.time.Schedule;
import io.tickmark.kernel.time.ScheduleKind;
import io.tickmark.kernel.time.ScheduleSpec;
import io.tickmark.kernel.time.Schedules;
import java.time.Duration;

/**
 * When messages are due.
 *
 * @param rate mean rate in messages per second; 0 where none is requested
 * @param pace how the messages are spread
 * @param ticksPerSecond ticks of the pace {@code ticks}
 * @param burstOn how long a burst of the pace {@code bursts} lasts
 * @param burstOff how long it is silent between bursts
 * @param sleep gap after each send of the pace {@code sleep}
 * @param seed of random paces and artificial loss
 */
public record PaceSettings(
        @Setting(
                        help =
                                "Messages per second, on a fixed grid; 0: closed loop, or as fast as possible.",
                        byDefault = "0",
                        unit = "msg/s",
                        min = 0,
                        max = 1e12)
                double rate,
        @Setting(help = "How messages are spread over time.", byDefault = "fixed")
                ScheduleKind pace,
        @Setting(
                        help = "Ticks per second of the pace 'ticks'.",
                        byDefault = "1000",
                        unit = "ticks/s",
                        min = 1,
                        max = 1_000_000)
                int ticksPerSecond,
        @Setting(
                        help = "Length of a burst of the pace 'bursts'.",
                        byDefault = "10ms",
                        min = 1_000,
                        max = 3.6e12)
                Duration burstOn,
        @Setting(
                        help = "Silence between bursts of the pace 'bursts'.",
                        byDefault = "90ms",
                        min = 0,
                        max = 3.6e12)
                Duration burstOff,
        @Setting(
                        help = "Gap after each send of the pace 'sleep'.",
                        byDefault = "100us",
                        min = 0,
                        max = 3.6e12)
                Duration sleep,
        @Setting(help = "Seed of random paces and of artificial loss.", byDefault = "1")
                long seed) {

    /** A rate below this would take longer than any user waits. */
    private static final double LOWEST_RATE = 0.001;

    /** Refuses invalid rates. */
    public PaceSettings {
        if (rate > 0 && rate < LOWEST_RATE) {
            throw UserError.usage(
                    "--rate "
                            + rate
                            + ": is below "
                            + LOWEST_RATE
                            + " msg/s; give a higher one, or 0 for none.");
        }
    }

    /** A rate of at least this is deliberately out of reach: it means as fast as possible. */
    private static final double AS_FAST_AS_POSSIBLE_FROM = 100e6;

    /** The gap that is planned for, in mean gaps. */
    private static final int LONG_RANDOM_GAPS = 10;

    /** A gap shorter than this is shorter than the engine's own time, for planning only. */
    private static final double SHORTEST_GAP_NS = 1_000;

    /**
     * Whether messages have due times.
     *
     * @return false for no rate (closed loop, as fast as possible) and for rates that are
     *     deliberately out of reach
     */
    public boolean isPaced() {
        return switch (pace) {
            case SLEEP -> true;
            case AS_FAST_AS_POSSIBLE -> false;
            case FIXED, TICKS, POISSON, BURSTS -> rate > 0 && rate < AS_FAST_AS_POSSIBLE_FROM;
        };
    }

    /**
     * How messages are spread, in results.
     *
     * @return the effective pace
     */
    public String word() {
        return SettingDescriptor.word(isPaced() ? pace : ScheduleKind.AS_FAST_AS_POSSIBLE);
    }

    /**
     * A new schedule.
     *
     * @return for one step, not started
     */
    public Schedule schedule() {
        return Schedules.of(
                new ScheduleSpec(
                        isPaced() ? pace : ScheduleKind.AS_FAST_AS_POSSIBLE,
                        rate,
                        ticksPerSecond,
                        sleep.toNanos(),
                        burstOn.toNanos(),
                        burstOff.toNanos(),
                        seed));
    }

    /**
     * The rate to plan with; for the pace {@code sleep} assuming that sends take no time.
     *
     * @return messages per second; 0 where unpaced
     */
    public double meanRatePerSecond() {
        return pace == ScheduleKind.SLEEP
                ? 1e9 / Math.max(SHORTEST_GAP_NS, sleep.toNanos())
                : schedule().ratePerSecond();
    }

    /**
     * How long a sender that keeps to its pace may be silent. Random gaps have no upper limit: of
     * those of a Poisson process, one in 22,000 is longer than ten times the mean.
     *
     * @return ns; 0 where unpaced
     */
    public long longestGapNs() {
        if (!isPaced()) {
            return 0;
        }
        return switch (pace) {
            case SLEEP -> sleep.toNanos();
            case TICKS -> (long) (1e9 / Math.min(ticksPerSecond, rate));
            case BURSTS -> burstOff.toNanos() + (long) (1e9 / rate);
            case POISSON -> (long) (LONG_RANDOM_GAPS * 1e9 / rate);
            case FIXED, AS_FAST_AS_POSSIBLE -> (long) (1e9 / rate);
        };
    }
}
