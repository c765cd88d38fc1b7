package io.tickmark.kernel.time;

import java.util.concurrent.TimeUnit;

/** Makes schedules. A schedule has one user and allocates nothing between starts. */
public final class Schedules {
    /** Smallest rate of a schedule: one message in a million seconds. */
    public static final double LOWEST_RATE_PER_SECOND = 1e-6;

    /** Largest rate of a schedule; beyond it is meant as fast as possible. */
    public static final double HIGHEST_RATE_PER_SECOND = 1e12;

    private static final long LONGEST_NS = TimeUnit.DAYS.toNanos(365);

    private Schedules() {}

    /**
     * The schedule of a role's settings.
     *
     * @param spec the settings; a rate of 0 where the kind wants one gives as fast as possible
     * @return a new schedule
     * @throws IllegalArgumentException if a value is out of the bounds of its factory
     */
    public static Schedule of(final ScheduleSpec spec) {
        final boolean unpaced = spec.ratePerSecond() == 0;
        return switch (spec.kind()) {
            case FIXED -> unpaced ? asFastAsPossible() : fixedRate(spec.ratePerSecond());
            case TICKS ->
                    unpaced
                            ? asFastAsPossible()
                            : ticks(spec.ratePerSecond(), spec.ticksPerSecond());
            case SLEEP -> sleep(spec.sleepNs());
            case POISSON ->
                    unpaced ? asFastAsPossible() : poisson(spec.ratePerSecond(), spec.seed());
            case BURSTS ->
                    unpaced
                            ? asFastAsPossible()
                            : bursts(spec.ratePerSecond(), spec.onNs(), spec.offNs());
            case AS_FAST_AS_POSSIBLE -> asFastAsPossible();
        };
    }

    /**
     * A fixed rate: message n at start + n / rate, rounded to the ns, exact however long it runs.
     *
     * @param ratePerSecond taken to the millionth of a message per second
     * @return a new schedule
     */
    public static Schedule fixedRate(final double ratePerSecond) {
        return new FixedRateSchedule(checkedRate(ratePerSecond));
    }

    /**
     * Bursts on a tick: the messages of a tick are all intended at the tick's time; rates that do
     * not divide by the ticks are spread evenly.
     *
     * @param ratePerSecond taken to the millionth of a message per second
     * @param ticksPerSecond 1 to a million
     * @return a new schedule
     */
    public static Schedule ticks(final double ratePerSecond, final int ticksPerSecond) {
        if (ticksPerSecond < 1 || ticksPerSecond > 1_000_000) {
            throw new IllegalArgumentException(
                    "ticksPerSecond must be between 1 and 1000000, but is " + ticksPerSecond);
        }
        return new TickSchedule(checkedRate(ratePerSecond), ticksPerSecond);
    }

    /**
     * A gap after each send: the intended time is that of the send before plus the gap.
     *
     * @param gapNs gap in ns
     * @return a new schedule, without a rate
     */
    public static Schedule sleep(final long gapNs) {
        return new SleepSchedule(checkedNs("sleepNs", gapNs, 0));
    }

    /**
     * A Poisson process, open loop.
     *
     * @param ratePerSecond mean rate
     * @param seed the same seed gives the same times after every start
     * @return a new schedule
     */
    public static Schedule poisson(final double ratePerSecond, final long seed) {
        return new PoissonSchedule(checkedRate(ratePerSecond), seed);
    }

    /**
     * On/off bursts: a fixed rate while on, the first message at the beginning of each burst.
     *
     * @param ratePerSecond while on
     * @param onNs length of a burst
     * @param offNs silence between bursts
     * @return a new schedule; its rate is the mean over bursts and silence
     */
    public static Schedule bursts(final double ratePerSecond, final long onNs, final long offNs) {
        return new BurstSchedule(
                checkedRate(ratePerSecond),
                checkedNs("onNs", onNs, 1),
                checkedNs("offNs", offNs, 0));
    }

    /**
     * No schedule: each message is intended when the one before was sent, so that time spent
     * waiting for an engine that pushes back is charged to the message that waits.
     *
     * @return a new schedule, without a rate
     */
    public static Schedule asFastAsPossible() {
        return new UnpacedSchedule();
    }

    private static double checkedRate(final double ratePerSecond) {
        if (!(ratePerSecond >= LOWEST_RATE_PER_SECOND
                && ratePerSecond <= HIGHEST_RATE_PER_SECOND)) {
            throw new IllegalArgumentException(
                    "ratePerSecond must be between "
                            + LOWEST_RATE_PER_SECOND
                            + " and "
                            + HIGHEST_RATE_PER_SECOND
                            + ", but is "
                            + ratePerSecond);
        }
        return ratePerSecond;
    }

    private static long checkedNs(final String name, final long ns, final long min) {
        if (ns < min || ns > LONGEST_NS) {
            throw new IllegalArgumentException(
                    name + " must be between " + min + " and a year of ns, but is " + ns);
        }
        return ns;
    }
}
