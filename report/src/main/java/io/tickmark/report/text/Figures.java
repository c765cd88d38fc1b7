package io.tickmark.report.text;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/**
 * Times, rates, counts and shares as people read them: three significant digits and a unit that
 * fits. Immutable, any thread.
 */
public final class Figures {
    /** For terminals and plain files, which may lack a micro sign. */
    public static final Figures ASCII = new Figures("us", " ");

    /** For pages. */
    public static final Figures TYPOGRAPHIC = new Figures("µs", "\u00a0");

    private static final MathContext THREE_DIGITS = new MathContext(3);
    private static final double NS_PER_US = 1e3;
    private static final double NS_PER_MS = 1e6;
    private static final double NS_PER_S = 1e9;

    private final String micro;
    private final String space;

    private Figures(final String micro, final String space) {
        this.micro = micro;
        this.space = space;
    }

    /**
     * A time with the unit that fits.
     *
     * @param ns nanoseconds
     * @return for example {@code 9.12 us}
     */
    public String time(final double ns) {
        final double size = Math.abs(ns);
        if (size < NS_PER_US) {
            return digits(ns) + space + "ns";
        }
        if (size < NS_PER_MS) {
            return digits(ns / NS_PER_US) + space + micro;
        }
        return size < NS_PER_S
                ? digits(ns / NS_PER_MS) + space + "ms"
                : digits(ns / NS_PER_S) + space + "s";
    }

    /**
     * A rate with k or M.
     *
     * @param perSecond events per second
     * @return for example {@code 1.49 M/s} or {@code 10,000/s}
     */
    public String rate(final double perSecond) {
        if (perSecond >= 1e6) {
            return digits(perSecond / 1e6) + space + "M/s";
        }
        return perSecond >= 1e5
                ? digits(perSecond / 1e3) + space + "k/s"
                : digits(perSecond) + "/s";
    }

    /**
     * A whole number with thousands separators.
     *
     * @param number to show
     * @return for example {@code 50,000,000}
     */
    public static String count(final long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /**
     * A part of a whole in percent; what is not zero is never shown as zero.
     *
     * @param part counted
     * @param whole of which
     * @return for example {@code 1.2 %}
     */
    public static String share(final long part, final long whole) {
        return whole <= 0 ? "n/a" : digits(100.0 * part / whole) + " %";
    }

    /**
     * Three significant digits without an exponent.
     *
     * @param value to show
     * @return for example {@code 0.00123}, {@code 12.3}, {@code 12,300}
     */
    public static String digits(final double value) {
        if (!Double.isFinite(value)) {
            return "n/a";
        }
        if (Math.abs(value) >= 999.5) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        final BigDecimal rounded = new BigDecimal(value).round(THREE_DIGITS);
        return rounded.signum() == 0
                ? "0"
                : rounded.setScale(
                                Math.max(0, 2 - exponent(rounded)), java.math.RoundingMode.HALF_UP)
                        .toPlainString();
    }

    private static int exponent(final BigDecimal value) {
        return value.precision() - value.scale() - 1;
    }
}
