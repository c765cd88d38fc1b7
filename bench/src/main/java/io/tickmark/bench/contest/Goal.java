package io.tickmark.bench.contest;

import java.util.Locale;
import java.util.function.DoubleFunction;

/** What the figure of a row has to be: a ratio where there is a peer, else the figure itself. */
public sealed interface Goal {
    /**
     * Whether it is reached.
     *
     * @param judged ratio or figure
     * @return true if so
     */
    boolean isMet(double judged);

    /**
     * How it reads.
     *
     * @param shown how a bound reads, as a figure with its unit or as a plain ratio
     * @return for the table
     */
    String text(DoubleFunction<String> shown);

    /**
     * How many decimals a ratio needs to be distinguished from the goal.
     *
     * @return at least 2
     */
    int decimals();

    /**
     * No more than a bound.
     *
     * @param bound inclusive
     */
    record AtMost(double bound) implements Goal {
        @Override
        public boolean isMet(final double judged) {
            return judged <= bound;
        }

        @Override
        public String text(final DoubleFunction<String> shown) {
            return "at most " + shown.apply(bound);
        }

        @Override
        public int decimals() {
            return 2;
        }
    }

    /**
     * No less than a bound.
     *
     * @param bound inclusive
     */
    record AtLeast(double bound) implements Goal {
        @Override
        public boolean isMet(final double judged) {
            return judged >= bound;
        }

        @Override
        public String text(final DoubleFunction<String> shown) {
            return "at least " + shown.apply(bound);
        }

        @Override
        public int decimals() {
            return 2;
        }
    }

    /**
     * A ratio of 1, nearly.
     *
     * @param part that it may be off, 0.001 for 0.1 %
     */
    record Near(double part) implements Goal {
        @Override
        public boolean isMet(final double judged) {
            return Math.abs(judged - 1) <= part;
        }

        @Override
        public String text(final DoubleFunction<String> shown) {
            return "within " + plain(part * 100) + " %";
        }

        @Override
        public int decimals() {
            return 5;
        }
    }

    /** None: shown beside a row that has one, because it says more together with it. */
    record Shown() implements Goal {
        @Override
        public boolean isMet(final double judged) {
            return true;
        }

        @Override
        public String text(final DoubleFunction<String> shown) {
            return "none";
        }

        @Override
        public int decimals() {
            return 2;
        }
    }

    /**
     * A number without needless decimals.
     *
     * @param number a ratio
     * @return at most two decimals
     */
    static String plain(final double number) {
        return number == Math.rint(number)
                ? Long.toString((long) number)
                : String.format(Locale.ROOT, "%.2f", number).replaceFirst("0$", "");
    }
}
