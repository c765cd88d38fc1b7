package io.tickmark.kernel.settings;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as users write them: a number with ns, us, ms, s, m or h. */
public final class Durations {
    private static final Pattern SHAPE = Pattern.compile("([-+]?[0-9.]+)\\s*([a-zµμ]*)");
    private static final int LONGEST_TEXT = 40;
    private static final Map<String, Long> UNIT_NS = new LinkedHashMap<>();

    static {
        UNIT_NS.put("h", 3_600_000_000_000L);
        UNIT_NS.put("m", 60_000_000_000L);
        UNIT_NS.put("s", 1_000_000_000L);
        UNIT_NS.put("ms", 1_000_000L);
        UNIT_NS.put("us", 1_000L);
        UNIT_NS.put("ns", 1L);
    }

    private Durations() {}

    /**
     * Reads a duration.
     *
     * @param text such as {@code 100ns}, {@code 1.5ms}, {@code 10s}; {@code 0} needs no unit
     * @param name the user's name for it, for errors
     * @return the duration, not negative, exact to the ns
     * @throws UserError if it is not a duration, has no unit, is negative or too long
     */
    public static Duration parse(final String text, final String name) {
        final Matcher matcher = SHAPE.matcher(text.strip());
        if (text.length() > LONGEST_TEXT || !matcher.matches()) {
            throw notADuration(text, name);
        }
        final BigDecimal number;
        try {
            number = new BigDecimal(matcher.group(1));
        } catch (final NumberFormatException e) {
            throw notADuration(text, name);
        }
        final String unit = matcher.group(2);
        if (unit.isEmpty() && number.signum() == 0) {
            return Duration.ZERO;
        }
        if (unit.isEmpty()) {
            throw UserError.usage(
                    "%s is %s without a unit; write for example %ss or %sms (units: ns, us, ms, s, m, h)."
                            .formatted(name, text.strip(), text.strip(), text.strip()));
        }
        final Long unitNs = UNIT_NS.get(unit.replace('µ', 'u').replace('μ', 'u'));
        if (unitNs == null) {
            throw notADuration(text, name);
        }
        return ofNs(number.multiply(BigDecimal.valueOf(unitNs)), text, name);
    }

    private static Duration ofNs(final BigDecimal ns, final String text, final String name) {
        if (ns.signum() < 0) {
            throw UserError.usage(
                    "%s is %s; a duration must not be negative.".formatted(name, text.strip()));
        }
        try {
            return Duration.ofNanos(ns.longValueExact());
        } catch (final ArithmeticException e) {
            throw UserError.usage(
                    "%s is %s; a duration must be whole nanoseconds and shorter than 292 years."
                            .formatted(name, text.strip()));
        }
    }

    private static UserError notADuration(final String text, final String name) {
        return UserError.usage(
                "%s is %s, which is not a duration; write a number with ns, us, ms, s, m or h, for example 10s."
                        .formatted(name, Quote.of(text)));
    }

    /**
     * Writes a duration with the largest unit that keeps it a whole number; {@link #parse} reads it
     * back.
     *
     * @param duration not negative
     * @return such as {@code 90s}, {@code 1500us}, {@code 0s}
     */
    public static String format(final Duration duration) {
        final long ns = duration.toNanos();
        if (ns == 0) {
            return "0s";
        }
        for (final Map.Entry<String, Long> unit : UNIT_NS.entrySet()) {
            if (ns % unit.getValue() == 0) {
                return ns / unit.getValue() + unit.getKey();
            }
        }
        throw new AssertionError("every number of ns is whole");
    }
}
