package io.tickmark.bench.contest;

import java.util.Locale;

/** What a figure is in, and how it reads. */
public enum Unit {
    /** A time; shown in us from 1 us on, in ms from 1 ms on. */
    NANOSECONDS {
        @Override
        public String text(final double figure) {
            if (figure >= 1e6) {
                return format("%.2f ms", figure / 1e6);
            }
            return figure >= 1_000
                    ? format("%.2f us", figure / 1_000)
                    : format(figure < 100 ? "%.1f ns" : "%.0f ns", figure);
        }
    },
    /** Messages per second. */
    PER_SECOND {
        @Override
        public String text(final double figure) {
            if (figure >= 1e6) {
                return format("%.2f M/s", figure / 1e6);
            }
            return figure >= 1e3 ? format("%.1f k/s", figure / 1e3) : format("%.0f /s", figure);
        }
    },
    /** A multiple of something. */
    TIMES {
        @Override
        public String text(final double figure) {
            return format("%.2f x", figure);
        }
    },
    /** A share. */
    PERCENT {
        @Override
        public String text(final double figure) {
            return format("%.1f %%", figure);
        }
    },
    /** Resident memory. */
    MEBIBYTES {
        @Override
        public String text(final double figure) {
            return format("%.0f MiB", figure);
        }
    },
    /** A time that people wait. */
    SECONDS {
        @Override
        public String text(final double figure) {
            return format("%.2f s", figure);
        }
    },
    /** Allocated memory; shown in MB from a megabyte on. */
    BYTES {
        @Override
        public String text(final double figure) {
            if (figure >= 1e6) {
                return format("%.1f MB", figure / 1e6);
            }
            return format("%.3f B", figure);
        }
    };

    /**
     * How a figure reads.
     *
     * @param figure in ns, per second, bytes, or as the unit is called
     * @return number and unit
     */
    public abstract String text(double figure);

    private static String format(final String format, final double figure) {
        return String.format(Locale.ROOT, format, figure);
    }
}
