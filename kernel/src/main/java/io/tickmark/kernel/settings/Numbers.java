package io.tickmark.kernel.settings;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Numbers as users write them, with k, M and G, and as YAML gives them. */
final class Numbers {
    private static final int LONGEST_TEXT = 40;
    private static final String RANGE = "..";

    private Numbers() {}

    /** Any number; {@code name} is what the user calls it. */
    static BigDecimal parse(final Object value, final String name) {
        if (value instanceof final Number number) {
            return ofNumber(number, name);
        }
        final String text = String.valueOf(value).strip();
        if (text.isEmpty() || text.length() > LONGEST_TEXT) {
            throw notANumber(value, name);
        }
        final int power = power(text.charAt(text.length() - 1));
        try {
            return new BigDecimal(power == 0 ? text : text.substring(0, text.length() - 1))
                    .scaleByPowerOfTen(power);
        } catch (final NumberFormatException | ArithmeticException e) {
            throw notANumber(value, name);
        }
    }

    private static BigDecimal ofNumber(final Number number, final String name) {
        try {
            return new BigDecimal(number.toString());
        } catch (final NumberFormatException e) {
            throw notANumber(number, name);
        }
    }

    private static int power(final char suffix) {
        return switch (suffix) {
            case 'k', 'K' -> 3;
            case 'M' -> 6;
            case 'G' -> 9;
            default -> 0;
        };
    }

    private static UserError notANumber(final Object value, final String name) {
        return UserError.usage(
                "%s is %s, which is not a number; write digits, with k, M or G for thousands, millions or billions."
                        .formatted(name, Quote.of(value)));
    }

    /** A whole number between two bounds, in {@code unit} (empty, or with a space before it). */
    static long parseWhole(
            final Object value,
            final long smallest,
            final long largest,
            final String name,
            final String unit) {
        final BigDecimal number = parse(value, name);
        final boolean isWhole = number.stripTrailingZeros().scale() <= 0;
        if (isWhole
                && number.compareTo(BigDecimal.valueOf(smallest)) >= 0
                && number.compareTo(BigDecimal.valueOf(largest)) <= 0) {
            return number.longValueExact();
        }
        final boolean isShort = isWhole && number.precision() - number.scale() <= LONGEST_TEXT;
        final boolean isBelow = number.compareTo(BigDecimal.valueOf(smallest)) < 0;
        throw UserError.usage(
                "%s is %s; it must be %s%s%s."
                        .formatted(
                                name,
                                isShort ? number.toBigInteger().toString() : Quote.of(value),
                                isShort ? "" : "a whole number ",
                                isBelow && largest == Long.MAX_VALUE
                                        ? "at least " + smallest
                                        : "between " + smallest + " and " + largest,
                                unit));
    }

    /** A number with a fraction, never infinite or NaN. */
    static double parseDouble(final Object value, final String name) {
        final double number = parse(value, name).doubleValue();
        if (Double.isInfinite(number)) {
            throw notANumber(value, name);
        }
        return number;
    }

    /** One element of a list of whole numbers: a number or a doubling range. */
    static List<Integer> parseElement(final Object value, final String name) {
        final String text = String.valueOf(value).strip();
        final int range = text.indexOf(RANGE);
        if (range < 0) {
            return List.of(parseInt(value, name));
        }
        final int from = parseInt(text.substring(0, range), name);
        final int to = parseInt(text.substring(range + RANGE.length()), name);
        return doubling(from, to, name);
    }

    static int parseInt(final Object value, final String name) {
        return (int) parseWhole(value, Integer.MIN_VALUE, Integer.MAX_VALUE, name, "");
    }

    private static List<Integer> doubling(final int from, final int to, final String name) {
        if (from < 1 || to < from) {
            throw UserError.usage(
                    "%s has the range %d..%d; it must start at 1 or above and end above its start, for example 16..8192."
                            .formatted(name, from, to));
        }
        final List<Integer> values = new ArrayList<>();
        long last = from;
        for (long value = from; value <= to; value *= 2) {
            values.add((int) value);
            last = value;
        }
        if (last != to) {
            throw UserError.usage(
                    "%s has the range %d..%d, which doubles to %d and does not meet its end; write %d..%d or %d..%d."
                            .formatted(name, from, to, last, from, last, from, last * 2));
        }
        return values;
    }
}
