package io.tickmark.workloads.messaging;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.time.Schedule;
import io.tickmark.kernel.time.Schedules;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

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

    private static final String PACE = "pace";
    private static final String RATE = "rate";

    /** Settings that only one pace uses. */
    private static final Map<String, ScheduleKind> OF_ONE_PACE =
            Map.of(
                    "ticksPerSecond",
                    ScheduleKind.TICKS,
                    "burstOn",
                    ScheduleKind.BURSTS,
                    "burstOff",
                    ScheduleKind.BURSTS,
                    "sleep",
                    ScheduleKind.SLEEP);

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

    private static final long NS_PER_S = 1_000_000_000;

    /** Standard deviations above its mean that are planned for, of a random number of messages. */
    private static final double DEVIATIONS = 10;

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
        return switch (isPaced() ? pace : ScheduleKind.AS_FAST_AS_POSSIBLE) {
            case FIXED -> Schedules.fixedRate(rate);
            case TICKS -> Schedules.ticks(rate, ticksPerSecond);
            case SLEEP -> Schedules.sleep(sleep.toNanos());
            case POISSON -> Schedules.poisson(rate, seed);
            case BURSTS -> Schedules.bursts(rate, burstOn.toNanos(), burstOff.toNanos());
            case AS_FAST_AS_POSSIBLE -> Schedules.asFastAsPossible();
        };
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

    /**
     * How many messages are due at most within any time of a length: those of bursts and ticks come
     * together. Random gaps have no lower limit, but a Poisson process has practically never more.
     *
     * @param ns the length
     * @return a few messages more; for the pace {@code sleep} assuming that sends take some time
     */
    public double mostWithin(final long ns) {
        final double seconds = ns / 1e9;
        return 2
                + switch (pace) {
                    case SLEEP -> meanRatePerSecond() * seconds;
                    case FIXED, AS_FAST_AS_POSSIBLE -> rate * seconds;
                    case TICKS ->
                            rate * (1 + (ns + 1) * ticksPerSecond / NS_PER_S) / ticksPerSecond;
                    case POISSON -> {
                        final double mean = rate * seconds;
                        yield mean + DEVIATIONS * Math.sqrt(mean) + DEVIATIONS * DEVIATIONS;
                    }
                    case BURSTS -> {
                        final long onNs = burstOn.toNanos();
                        final long cycleNs = onNs + burstOff.toNanos();
                        final double perBurst = Math.ceil(rate * onNs / 1e9);
                        yield ns / cycleNs * perBurst
                                + Math.min(perBurst, rate * (ns % cycleNs) / 1e9);
                    }
                };
    }

    /**
     * Refuses settings that would otherwise be silently ignored.
     *
     * @param values as given, by key; those of other settings are ignored
     * @param later keys whose values are set later, whatever is given: they are not checked
     * @param naming how the user knows a key
     * @throws UserError if a pace lacks the rate that it spreads, has one that it cannot keep, or a
     *     setting is given that only another pace uses
     */
    public static void check(
            final Map<String, Object> values,
            final Set<String> later,
            final UnaryOperator<String> naming) {
        if (later.contains(PACE)) {
            return;
        }
        final Map<String, Object> own = new LinkedHashMap<>();
        SettingDescriptor.of(PaceSettings.class).stream()
                .map(SettingDescriptor::key)
                .filter(values::containsKey)
                .forEach(key -> own.put(key, values.get(key)));
        final PaceSettings settings = Settings.read(PaceSettings.class, own, naming);
        own.keySet().forEach(key -> checkOwner(key, settings.pace(), naming));
        if (values.containsKey(PACE) && !later.contains(RATE)) {
            checkRate(settings, naming);
        }
    }

    private static void checkOwner(
            final String key, final ScheduleKind pace, final UnaryOperator<String> naming) {
        final ScheduleKind owner = OF_ONE_PACE.getOrDefault(key, pace);
        if (owner != pace) {
            throw UserError.usage(
                    "%s: belongs to %s %s; give it, or leave this out."
                            .formatted(
                                    naming.apply(key),
                                    naming.apply(PACE),
                                    SettingDescriptor.word(owner)));
        }
    }

    private static void checkRate(final PaceSettings settings, final UnaryOperator<String> naming) {
        final boolean hasRate = settings.rate() > 0;
        final String said = naming.apply(PACE) + " " + SettingDescriptor.word(settings.pace());
        switch (settings.pace()) {
            case FIXED -> {
                // without a rate: a closed loop, or as fast as possible
            }
            case TICKS, POISSON, BURSTS -> {
                if (!hasRate) {
                    throw UserError.usage(
                            said + ": spreads a rate; give one with " + naming.apply(RATE) + ".");
                }
            }
            case SLEEP, AS_FAST_AS_POSSIBLE -> {
                if (hasRate) {
                    throw UserError.usage(
                            said
                                    + ": does not keep to a rate; leave "
                                    + naming.apply(RATE)
                                    + " out (or 0), or give another pace.");
                }
            }
        }
    }

    /** How messages are spread over time; named as in plans and options. */
    public enum ScheduleKind {
        /** One message each 1 / rate. */
        FIXED,
        /** Bursts: all messages of a tick at the tick's time. */
        TICKS,
        /** A gap after each send; not on a grid, so a slow send is not caught up. */
        SLEEP,
        /** Random gaps with the mean 1 / rate. */
        POISSON,
        /** A fixed rate while on, silence while off. */
        BURSTS,
        /** The next message as soon as the one before was sent. */
        AS_FAST_AS_POSSIBLE
    }
}
