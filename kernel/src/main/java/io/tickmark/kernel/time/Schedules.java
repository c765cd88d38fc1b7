package io.tickmark.kernel.time;

import java.math.BigInteger;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Creates schedules. A schedule has one user and allocates nothing between starts. */
public final class Schedules {
    /** Smallest rate of a schedule: one message in a million seconds. */
    public static final double LOWEST_RATE_PER_SECOND = 1e-6;

    /** Largest rate of a schedule; a higher one would mean as fast as possible. */
    public static final double HIGHEST_RATE_PER_SECOND = 1e12;

    private static final long LONGEST_NS = TimeUnit.DAYS.toNanos(365);

    private Schedules() {}

    /**
     * A fixed rate: message n at start + n / rate, rounded to the ns, exact however long it runs.
     *
     * @param ratePerSecond taken to the millionth of a message per second
     * @return a new schedule
     */
    public static Schedule fixedRate(final double ratePerSecond) {
        return new FixedRate(checkedRate(ratePerSecond));
    }

    /**
     * Bursts on a tick: the messages of a tick are all intended at the tick's time; rates that are
     * not a multiple of the ticks are spread evenly.
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
        return new Ticks(checkedRate(ratePerSecond), ticksPerSecond);
    }

    /**
     * A gap after each send: the intended time is that of the send before plus the gap.
     *
     * @param gapNs gap in ns
     * @return a new schedule, without a rate
     */
    public static Schedule sleep(final long gapNs) {
        return new Sleeps(checkedNs("sleepNs", gapNs, 0));
    }

    /**
     * A Poisson process, open loop.
     *
     * @param ratePerSecond mean rate
     * @param seed the same seed gives the same times after every start
     * @return a new schedule
     */
    public static Schedule poisson(final double ratePerSecond, final long seed) {
        return new Poisson(checkedRate(ratePerSecond), seed);
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
        return new Bursts(
                checkedRate(ratePerSecond),
                checkedNs("onNs", onNs, 1),
                checkedNs("offNs", offNs, 0));
    }

    /**
     * No schedule: each message is intended when the one before was sent, so that time spent
     * waiting for an engine under back-pressure counts for the message that waits.
     *
     * @return a new schedule, without a rate
     */
    public static Schedule asFastAsPossible() {
        return new Unpaced();
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

    /** Message n is due at start + n / rate, rounded to the ns. */
    private static final class FixedRate implements Schedule {
        private final double ratePerSecond;
        private final Ratio grid;

        FixedRate(final double ratePerSecond) {
            this.ratePerSecond = ratePerSecond;
            this.grid =
                    Ratio.roundedToNearest(
                            TimeUnit.SECONDS.toNanos(1) * Ratio.RATE_SCALE,
                            Ratio.scaled(ratePerSecond));
        }

        @Override
        public void start(final long startNs) {
            grid.restart(startNs);
        }

        @Override
        public long nextNs(final long nowNs) {
            return grid.next();
        }

        @Override
        public double ratePerSecond() {
            return ratePerSecond;
        }
    }

    /**
     * Each message is due a gap after the one before was sent: no grid, so a stall is not caught
     * up.
     */
    private static final class Sleeps implements Schedule {
        private final long gapNs;
        private boolean first;

        Sleeps(final long gapNs) {
            this.gapNs = gapNs;
        }

        @Override
        public void start(final long startNs) {
            first = true;
        }

        @Override
        public long nextNs(final long nowNs) {
            if (first) {
                first = false;
                return nowNs;
            }
            return nowNs + gapNs;
        }

        @Override
        public double ratePerSecond() {
            return 0;
        }
    }

    /**
     * Bursts on a tick: tick k is at start + k / ticksPerSecond, and message n belongs to tick n x
     * ticksPerSecond / rate rounded down, so that a rate that is not a multiple is spread evenly.
     */
    private static final class Ticks implements Schedule {
        private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

        private final double ratePerSecond;
        private final int ticksPerSecond;
        private final Ratio ticks;
        private long startNs;
        private long tick = -1;
        private long tickNs;

        Ticks(final double ratePerSecond, final int ticksPerSecond) {
            this.ratePerSecond = ratePerSecond;
            this.ticksPerSecond = ticksPerSecond;
            this.ticks =
                    Ratio.roundedDown(
                            ticksPerSecond * Ratio.RATE_SCALE, Ratio.scaled(ratePerSecond));
        }

        @Override
        public void start(final long startNs) {
            this.startNs = startNs;
            ticks.restart(0);
            tick = -1;
        }

        @Override
        public long nextNs(final long nowNs) {
            final long nextTick = ticks.next();
            if (nextTick != tick) {
                tick = nextTick;
                tickNs = startNs + offsetNs(nextTick);
            }
            return tickNs;
        }

        /** Whole seconds apart, so that no product overflows. */
        private long offsetNs(final long ofTick) {
            final long withinSecond = ofTick % ticksPerSecond * SECOND_NS;
            return ofTick / ticksPerSecond * SECOND_NS
                    + (withinSecond + ticksPerSecond / 2) / ticksPerSecond;
        }

        @Override
        public double ratePerSecond() {
            return ratePerSecond;
        }
    }

    /** As fast as possible: the next message is due as soon as the one before was sent. */
    private static final class Unpaced implements Schedule {
        Unpaced() {}

        @Override
        public void start(final long startNs) {
            // there is no grid to fix
        }

        @Override
        public long nextNs(final long nowNs) {
            return nowNs;
        }

        @Override
        public double ratePerSecond() {
            return 0;
        }

        @Override
        public boolean isUnpaced() {
            return true;
        }
    }

    /**
     * A Poisson process: gaps are exponentially distributed, -ln(u) / rate, independent of when
     * messages were sent (open loop). The same seed gives the same times after every start.
     */
    private static final class Poisson implements Schedule {
        private final double ratePerSecond;
        private final double meanGapNs;
        private final long seed;
        private SplittableRandom random;
        private long nextNs;
        private double rest;

        Poisson(final double ratePerSecond, final long seed) {
            this.ratePerSecond = ratePerSecond;
            this.meanGapNs = TimeUnit.SECONDS.toNanos(1) / ratePerSecond;
            this.seed = seed;
            this.random = new SplittableRandom(seed);
        }

        @Override
        public void start(final long startNs) {
            random = new SplittableRandom(seed);
            nextNs = startNs;
            rest = 0;
        }

        @Override
        public long nextNs(final long nowNs) {
            final long current = nextNs;
            // the part below 1 ns is carried over, so that rounding does not shift the rate
            final double gapNs = rest - Math.log(1 - random.nextDouble()) * meanGapNs;
            final long wholeNs = (long) gapNs;
            rest = gapNs - wholeNs;
            nextNs = current + wholeNs;
            return current;
        }

        @Override
        public double ratePerSecond() {
            return ratePerSecond;
        }

        @Override
        public boolean isUneven() {
            return true;
        }
    }

    /**
     * On/off bursts: cycle k begins at start + k x (on + off) and sends at a fixed rate while it is
     * on, its first message at its beginning.
     */
    private static final class Bursts implements Schedule {
        private final long cycleNs;
        private final long messagesPerCycle;
        private final Ratio withinCycle;
        private long cycleStartNs;
        private long sentInCycle;

        Bursts(final double ratePerSecond, final long onNs, final long offNs) {
            this.cycleNs = onNs + offNs;
            this.withinCycle =
                    Ratio.roundedToNearest(
                            TimeUnit.SECONDS.toNanos(1) * Ratio.RATE_SCALE,
                            Ratio.scaled(ratePerSecond));
            this.messagesPerCycle = messagesWithin(onNs, Ratio.scaled(ratePerSecond));
        }

        /** How many n from 0 there are with n / rate below onNs. */
        private static long messagesWithin(final long onNs, final long scaledRate) {
            final BigInteger second =
                    BigInteger.valueOf(TimeUnit.SECONDS.toNanos(1) * Ratio.RATE_SCALE);
            final BigInteger product =
                    BigInteger.valueOf(onNs).multiply(BigInteger.valueOf(scaledRate));
            return product.add(second).subtract(BigInteger.ONE).divide(second).longValueExact();
        }

        @Override
        public void start(final long startNs) {
            beginCycle(startNs);
        }

        private void beginCycle(final long atNs) {
            cycleStartNs = atNs;
            sentInCycle = 0;
            withinCycle.restart(atNs);
        }

        @Override
        public long nextNs(final long nowNs) {
            if (sentInCycle == messagesPerCycle) {
                beginCycle(cycleStartNs + cycleNs);
            }
            sentInCycle++;
            return withinCycle.next();
        }

        @Override
        public double ratePerSecond() {
            return (double) messagesPerCycle * TimeUnit.SECONDS.toNanos(1) / cycleNs;
        }

        @Override
        public boolean isUneven() {
            return true;
        }
    }

    /**
     * The multiples of a fraction, rounded to whole numbers, in exact integer arithmetic: no error
     * adds up however long it runs. Single-threaded, allocates nothing.
     */
    private static final class Ratio {
        /** Rates are taken to the millionth of a message per second. */
        static final long RATE_SCALE = 1_000_000;

        private final long wholePart;
        private final long remainder;
        private final long denominator;
        private final long firstRest;
        private long rest;
        private long value;

        /** {@code firstRest} 0 rounds down, half the denominator rounds to the nearest. */
        private Ratio(final long numerator, final long denominator, final long firstRest) {
            this.wholePart = numerator / denominator;
            this.remainder = numerator % denominator;
            this.denominator = denominator;
            this.firstRest = firstRest;
            restart(0);
        }

        static Ratio roundedDown(final long numerator, final long denominator) {
            return new Ratio(numerator, denominator, 0);
        }

        static Ratio roundedToNearest(final long numerator, final long denominator) {
            return new Ratio(numerator, denominator, denominator / 2);
        }

        /** A rate in millionths of a message per second. */
        static long scaled(final double ratePerSecond) {
            return Math.round(ratePerSecond * RATE_SCALE);
        }

        /** Back to the zeroth multiple, which is {@code from}. */
        void restart(final long from) {
            rest = firstRest;
            value = from;
        }

        /** The current multiple; advances to the next one. */
        long next() {
            final long current = value;
            value += wholePart;
            rest += remainder;
            if (rest >= denominator) {
                rest -= denominator;
                value++;
            }
            return current;
        }
    }
}
