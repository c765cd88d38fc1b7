package io.tickmark.kernel.time;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;

/**
 * Keeps another machine's clock on this one's time line, from readings of it: computes how it has
 * to be steered ({@link SteeredNanoClock}), and afterwards how well it agreed. Its known rate is
 * kept from one trial to the next. Single-threaded.
 *
 * <p>A line is kept as long as all readings allow it, so that the noise of readings does not
 * disturb a clock that needs no correction. A line that a reading contradicts is replaced by one
 * that agrees with all readings of the last minute, and the clock is moved to it without a step.
 */
public final class ClockSteering {
    private static final long KEPT_NS = 60_000_000_000L;

    /** A correction takes less time to reach the roles. */
    private static final long LEAD_NS = 150_000_000;

    private static final long SLEW_NS = 250_000_000;

    /** A clock runs at most one part in this many faster or slower while it is moved to a line. */
    private static final long SLOWEST_SLEW = 100;

    /**
     * The current piece, the transition to the next, and corrections that may still have been in
     * transit.
     */
    private static final int SENT = 4;

    private final Deque<ClockReading> readings = new ArrayDeque<>();
    private final List<ClockReading> ofTrial = new ArrayList<>();
    private final List<ClockSegment> applied = new ArrayList<>();
    private double rate;

    /**
     * How well a clock agreed while roles measured.
     *
     * @param boundNs largest error of what its roles recorded, due to the clock only
     * @param endsNs the part of it due to the limited accuracy of the first and the last reading;
     *     the rest is drift that was too fast to be followed
     * @param driftNs what the clock gained in between, which was corrected
     */
    public record Agreement(long boundNs, long endsNs, long driftNs) {}

    /** No reading yet. */
    public ClockSteering() {}

    /**
     * Records a reading outside a trial.
     *
     * @param reading later than those before it
     */
    public void read(final ClockReading reading) {
        readings.add(reading);
        while (readings.size() > 2 && reading.atNs() - readings.peekFirst().atNs() > KEPT_NS) {
            readings.removeFirst();
        }
    }

    /**
     * Begins a trial, or restarts it after another reading.
     *
     * @param reading of this moment
     * @return what the clock has to be set to, before anything is measured by it
     */
    public ClockSegment begin(final ClockReading reading) {
        read(reading);
        final Fit fit = fit();
        ofTrial.clear();
        ofTrial.add(reading);
        applied.clear();
        applied.add(fit.segment(reading.atNs()));
        return applied.getLast();
    }

    private Fit fit() {
        final Fit fit = Fit.of(List.copyOf(readings), rate);
        rate = fit.rate();
        return fit;
    }

    /**
     * Records a reading while roles measure.
     *
     * @param reading later than those before it
     * @param nowNs this clock's time
     * @return how the clock has to be steered from a future moment; empty where it is right as far
     *     as is known
     */
    public Optional<List<ClockSegment>> watch(final ClockReading reading, final long nowNs) {
        read(reading);
        ofTrial.add(reading);
        if (errorNs(reading.atNs(), reading.lowNs()) <= 0
                && errorNs(reading.atNs(), reading.highNs()) >= 0) {
            return Optional.empty();
        }
        final Fit fit = fit();
        final long startNs = nowNs + LEAD_NS;
        final long fromNs = fit.segment(startNs).fromNs();
        applied.removeIf(segment -> segment.fromNs() - fromNs >= 0);
        final long lineNs = lineAt(fromNs);
        final long slewNs = Math.max(SLEW_NS, SLOWEST_SLEW * Math.abs(startNs - lineNs));
        final ClockSegment target = fit.segment(startNs + slewNs);
        final long takesNs = target.fromNs() - fromNs;
        applied.add(
                new ClockSegment(
                        fromNs, lineNs, (double) (target.lineNs() - lineNs) / takesNs - 1));
        applied.add(target);
        return Optional.of(
                List.copyOf(applied.subList(Math.max(0, applied.size() - SENT), applied.size())));
    }

    private long lineAt(final long readingNs) {
        return segmentAt(readingNs).at(readingNs);
    }

    private ClockSegment segmentAt(final long readingNs) {
        ClockSegment found = applied.getFirst();
        for (final ClockSegment segment : applied) {
            if (readingNs - segment.fromNs() >= 0) {
                found = segment;
            }
        }
        return found;
    }

    /** How far the steered clock was ahead of this one, given how far it was ahead unsteered. */
    private long errorNs(final long atNs, final long offsetNs) {
        return lineAt(atNs + offsetNs) - atNs;
    }

    /**
     * Ends a trial. The clock is assumed to have run evenly between the first and the last reading,
     * except where a reading in between shows that it did not.
     *
     * @param last reading, after the measurement
     * @return how well it agreed
     */
    public Agreement settle(final ClockReading last) {
        read(last);
        final ClockReading first = ofTrial.getFirst();
        final Band band = new Band(first, last);
        long boundNs = Math.max(worstNs(band.at(first.atNs())), worstNs(band.at(last.atNs())));
        for (int i = 1; i < applied.size(); i++) {
            final ClockSegment segment = applied.get(i);
            if (segment.lineNs() - last.atNs() < 0) {
                final ClockReading then = band.at(segment.lineNs());
                // a correction may have come late: then the piece before it remained in effect
                boundNs =
                        Math.max(
                                boundNs,
                                Math.max(worstNs(then), worstNs(then, applied.get(i - 1))));
            }
        }
        for (final ClockReading reading : ofTrial) {
            final ClockReading then = band.at(reading.atNs());
            final boolean isEven =
                    reading.lowNs() <= then.highNs() && reading.highNs() >= then.lowNs();
            boundNs = Math.max(boundNs, worstNs(isEven ? then : reading));
        }
        return new Agreement(
                boundNs,
                2 * Math.max(first.offset().boundNs(), last.offset().boundNs()),
                last.offset().offsetNs() - first.offset().offsetNs());
    }

    private long worstNs(final ClockReading then) {
        return Math.max(
                Math.abs(errorNs(then.atNs(), then.lowNs())),
                Math.abs(errorNs(then.atNs(), then.highNs())));
    }

    private static long worstNs(final ClockReading then, final ClockSegment held) {
        return Math.max(
                Math.abs(held.at(then.atNs() + then.lowNs()) - then.atNs()),
                Math.abs(held.at(then.atNs() + then.highNs()) - then.atNs()));
    }

    /** Position of an even clock between two readings. */
    private record Band(ClockReading first, ClockReading last) {
        ClockReading at(final long ns) {
            final long tookNs = Math.max(1, last.atNs() - first.atNs());
            final double part = Math.clamp((double) (ns - first.atNs()) / tookNs, 0, 1);
            final double low = first.lowNs() + part * (last.lowNs() - first.lowNs());
            final double high = first.highNs() + part * (last.highNs() - first.highNs());
            return new ClockReading(
                    ns,
                    new ClockOffset(
                            Math.round(low + (high - low) / 2),
                            (long) Math.ceil((high - low) / 2) + 1,
                            0));
        }
    }

    /**
     * The straight line through readings of another clock: its offset at a moment, and its rate.
     * Every reading gives bounds between which the line has to pass, and nothing else is assumed
     * about the network delays; so a line either agrees with all of them or does not. Where the
     * rates of lines that agree are a range, the middle of the range is taken.
     *
     * @param atNs a moment, by this clock
     * @param offsetNs how far the other clock is ahead at that moment
     * @param rate what it gains on this one, as a fraction
     */
    private record Fit(long atNs, double offsetNs, double rate) {
        /** Undisciplined quartz is within 200e-6; a clock that is being slewed, within 500e-6. */
        private static final double MOST_RATE = 2e-3;

        private static final int STEPS = 60;

        /** How far it is ahead. */
        double offsetAtNs(final long ns) {
            return offsetNs + rate * (ns - atNs);
        }

        /**
         * The same line as the mapping that the other machine's clock needs to show this one's
         * time.
         */
        ClockSegment segment(final long fromAtNs) {
            return new ClockSegment(
                    fromAtNs + Math.round(offsetAtNs(fromAtNs)), fromAtNs, -rate / (1 + rate));
        }

        /**
         * Fits.
         *
         * @param readings in the order of their moments, at least one; the oldest are dropped where
         *     no line agrees with all, because rates do change
         * @param usual the rate to keep to where a line of that rate agrees with all of them
         */
        static Fit of(final List<ClockReading> readings, final double usual) {
            int from = 0;
            while (true) {
                final List<ClockReading> used = readings.subList(from, readings.size());
                final DoubleUnaryOperator room = rate -> roomNs(used, rate);
                if (room.applyAsDouble(usual) >= 0) {
                    return through(used, usual);
                }
                final double best = best(room);
                if (room.applyAsDouble(best) >= 0) {
                    final double least = edge(room, best, -MOST_RATE);
                    final double most = edge(room, best, MOST_RATE);
                    return through(used, (least + most) / 2);
                }
                if (used.size() <= 2) {
                    return through(used, best);
                }
                from++;
            }
        }

        /**
         * Distance between the lowest and the highest line of this rate; negative where none fits.
         */
        private static double roomNs(final List<ClockReading> readings, final double rate) {
            final long atNs = readings.getLast().atNs();
            double low = Double.NEGATIVE_INFINITY;
            double high = Double.POSITIVE_INFINITY;
            for (final ClockReading reading : readings) {
                final double gainedNs = rate * (reading.atNs() - atNs);
                low = Math.max(low, reading.lowNs() - gainedNs);
                high = Math.min(high, reading.highNs() - gainedNs);
            }
            return high - low;
        }

        private static Fit through(final List<ClockReading> readings, final double rate) {
            final long atNs = readings.getLast().atNs();
            double low = Double.NEGATIVE_INFINITY;
            double high = Double.POSITIVE_INFINITY;
            for (final ClockReading reading : readings) {
                final double gainedNs = rate * (reading.atNs() - atNs);
                low = Math.max(low, reading.lowNs() - gainedNs);
                high = Math.min(high, reading.highNs() - gainedNs);
            }
            return new Fit(atNs, low + (high - low) / 2, rate);
        }

        /** The room is concave in the rate. */
        private static double best(final DoubleUnaryOperator room) {
            double low = -MOST_RATE;
            double high = MOST_RATE;
            for (int i = 0; i < 2 * STEPS; i++) {
                final double third = (high - low) / 3;
                if (room.applyAsDouble(low + third) < room.applyAsDouble(high - third)) {
                    low += third;
                } else {
                    high -= third;
                }
            }
            return (low + high) / 2;
        }

        private static double edge(
                final DoubleUnaryOperator room, final double inside, final double outside) {
            double in = inside;
            double out = outside;
            for (int i = 0; i < STEPS; i++) {
                final double middle = (in + out) / 2;
                if (room.applyAsDouble(middle) >= 0) {
                    in = middle;
                } else {
                    out = middle;
                }
            }
            return in;
        }
    }
}
