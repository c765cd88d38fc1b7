package io.tickmark.kernel.time;

import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * The straight line through readings of another clock: its offset at a moment, and its rate. Every
 * reading says between which bounds the line has to pass, and nothing else is assumed of the ways
 * that the readings went; so a line either agrees with all of them or does not. Where the rates of
 * lines that agree are a range, the middle of the range is taken.
 *
 * @param atNs a moment, by this clock
 * @param offsetNs how far the other clock is ahead at that moment
 * @param rate what it gains on this one, as a fraction
 */
record ClockFit(long atNs, double offsetNs, double rate) {
    /** Quartz that nobody steers is within 200e-6; a clock that is being slewed, within 500e-6. */
    private static final double MOST_RATE = 2e-3;

    private static final int STEPS = 60;

    /** How far it is ahead. */
    double offsetAtNs(final long ns) {
        return offsetNs + rate * (ns - atNs);
    }

    /** The same line as what the other machine's clock needs to tell this one's time. */
    ClockSegment segment(final long fromAtNs) {
        return new ClockSegment(
                fromAtNs + Math.round(offsetAtNs(fromAtNs)), fromAtNs, -rate / (1 + rate));
    }

    /**
     * Fits.
     *
     * @param readings in the order of their moments, at least one; the oldest are left out where no
     *     line agrees with all, because rates do change
     * @param usual the rate to keep to where a line of that rate agrees with all of them
     */
    static ClockFit of(final List<ClockReading> readings, final double usual) {
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

    /** How far apart the lowest and the highest line of this rate are; negative where none fits. */
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

    private static ClockFit through(final List<ClockReading> readings, final double rate) {
        final long atNs = readings.getLast().atNs();
        double low = Double.NEGATIVE_INFINITY;
        double high = Double.POSITIVE_INFINITY;
        for (final ClockReading reading : readings) {
            final double gainedNs = rate * (reading.atNs() - atNs);
            low = Math.max(low, reading.lowNs() - gainedNs);
            high = Math.min(high, reading.highNs() - gainedNs);
        }
        return new ClockFit(atNs, low + (high - low) / 2, rate);
    }

    /** Room is concave in the rate. */
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
