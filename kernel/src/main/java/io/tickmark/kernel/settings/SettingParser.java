package io.tickmark.kernel.settings;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Converts what a user gave for one setting into a value of its Java type, and checks its bounds.
 */
final class SettingParser {
    private static final double PERCENT = 100;

    private final SettingDescriptor setting;
    private final Class<?> javaType;
    private final String name;

    /** {@code name} is the user's name for the setting. */
    SettingParser(final SettingDescriptor setting, final Class<?> javaType, final String name) {
        this.setting = setting;
        this.javaType = javaType;
        this.name = name;
    }

    Object parse(final Object value) {
        if (value == null) {
            throw UserError.usage(name + " has no value; give it one or leave it out.");
        }
        return switch (setting.type()) {
            case FLAG -> flag(scalar(value));
            case INT -> (int) whole(scalar(value), Integer.MIN_VALUE, Integer.MAX_VALUE);
            case LONG -> whole(scalar(value), Long.MIN_VALUE, Long.MAX_VALUE);
            case NUMBER -> bounded(number(scalar(value)));
            case DURATION -> duration(scalar(value));
            case CHOICE -> choice(scalar(value));
            case TEXT -> text(scalar(value));
            case INT_LIST -> intList(value);
            case TEXT_LIST -> textList(value);
        };
    }

    private Object scalar(final Object value) {
        if (value instanceof Iterable<?> || value instanceof java.util.Map<?, ?>) {
            throw UserError.usage("%s takes one value, not %s.".formatted(name, Quote.of(value)));
        }
        return value;
    }

    /** Files of a run do not contain secrets, and a plan among them can be run again unchanged. */
    private String text(final Object value) {
        final String text = String.valueOf(value);
        if (text.equals(Secrets.HIDDEN) && Secrets.isNamedBy(name)) {
            throw UserError.usage(
                    "%s is %s, which stands for a secret that was kept out of a file; write the secret in its place."
                            .formatted(name, Secrets.HIDDEN));
        }
        return text;
    }

    /** The reported bounds are those of the setting, not of its Java type. */
    private long whole(final Object value, final long smallest, final long largest) {
        final long least = setting.min() > smallest ? (long) setting.min() : smallest;
        final long most = setting.max() < largest ? (long) setting.max() : largest;
        return Numbers.parseWhole(value, least, most, name, unit());
    }

    private boolean flag(final Object value) {
        return switch (String.valueOf(value).strip().toLowerCase(Locale.ROOT)) {
            case "true", "" -> true;
            case "false" -> false;
            default ->
                    throw UserError.usage(
                            "%s is %s; it must be true or false.".formatted(name, Quote.of(value)));
        };
    }

    private double number(final Object value) {
        final String text = String.valueOf(value).strip();
        if (!setting.isShare() || !text.endsWith("%")) {
            final double number = Numbers.parseDouble(value, name, advice());
            if (setting.unit().equals(Setting.PART) && isTakenForPercent(number)) {
                throw UserError.usage(name + " is " + text + "; " + Shares.withSign(text));
            }
            return number;
        }
        final double number =
                Numbers.parseDouble(text.substring(0, text.length() - 1), name, advice());
        return setting.unit().equals(Setting.PART) ? number / PERCENT : number;
    }

    /** What to write where a number was not understood. */
    private String advice() {
        if (!setting.isShare()) {
            return Numbers.DIGITS;
        }
        return setting.unit().equals(Setting.PART)
                ? "write a percentage or a fraction, for example 10% or 0.1"
                : "write percent, for example 10 or 10%";
    }

    /** 1 is the whole, unless values above the whole are allowed: then it is ambiguous. */
    private boolean isTakenForPercent(final double number) {
        return number > 1 || number == 1 && setting.max() > 1;
    }

    private Duration duration(final Object value) {
        final Duration duration =
                value instanceof final Duration given
                        ? given
                        : Durations.parse(withUnit(String.valueOf(value).strip()), name);
        final long ns = duration.toNanos();
        if (ns < setting.min() || ns > setting.max()) {
            throw outOfBounds(
                    Durations.format(duration),
                    Durations.format(Duration.ofNanos((long) Math.max(0, setting.min()))),
                    Durations.format(Duration.ofNanos((long) setting.max())));
        }
        return duration;
    }

    /**
     * A bare number is in the setting's unit, where it has one: users of other tools type it that
     * way.
     */
    private String withUnit(final String text) {
        return !setting.unit().isEmpty() && text.matches("[0-9.]+") ? text + setting.unit() : text;
    }

    private Object choice(final Object value) {
        final String word =
                value instanceof final Enum<?> constant
                        ? SettingDescriptor.word(constant)
                        : String.valueOf(value).strip().replace('_', '-');
        for (final Object constant : javaType.getEnumConstants()) {
            if (SettingDescriptor.word((Enum<?>) constant).equalsIgnoreCase(word)) {
                return constant;
            }
        }
        throw UserError.usage(
                "%s is %s; it must be one of %s."
                        .formatted(name, Quote.of(value), String.join(", ", setting.choices())));
    }

    private List<Integer> intList(final Object value) {
        final List<Integer> numbers = new ArrayList<>();
        for (final Object element : elements(value)) {
            numbers.addAll(Numbers.parseElement(element, name));
        }
        numbers.forEach(this::bounded);
        return List.copyOf(numbers);
    }

    private List<String> textList(final Object value) {
        return elements(value).stream().map(String::valueOf).toList();
    }

    private List<Object> elements(final Object value) {
        final List<Object> elements = new ArrayList<>();
        if (value instanceof final Iterable<?> given) {
            for (final Object element : given) {
                if (element == null) {
                    throw UserError.usage(name + " has an element without a value.");
                }
                elements.add(scalar(element));
            }
            return elements;
        }
        final String text = String.valueOf(scalar(value)).strip();
        if (text.isEmpty()) {
            return elements;
        }
        for (final String element : text.split(",", -1)) {
            if (element.isBlank()) {
                throw UserError.usage(
                        "%s is %s, which has an empty element between commas."
                                .formatted(name, Quote.of(value)));
            }
            elements.add(element.strip());
        }
        return elements;
    }

    private void bounded(final long value) {
        if (value < setting.min() || value > setting.max()) {
            throw outOfBounds(Long.toString(value), bound(setting.min()), bound(setting.max()));
        }
    }

    private double bounded(final double value) {
        if (value < setting.min() || value > setting.max()) {
            throw outOfBounds(bound(value), bound(setting.min()), bound(setting.max()));
        }
        return value;
    }

    private String unit() {
        return setting.unit().isEmpty() || setting.isShare() ? "" : " " + setting.unit();
    }

    private UserError outOfBounds(final String value, final String min, final String max) {
        final String unit = unit();
        final String unitOfBound = setting.type() == SettingType.DURATION ? "" : unit;
        final String rule;
        if (setting.max() == Double.POSITIVE_INFINITY) {
            rule = "at least " + min;
        } else if (setting.min() == Double.NEGATIVE_INFINITY) {
            rule = "at most " + max;
        } else {
            rule = "between " + min + " and " + max;
        }
        return UserError.usage(
                "%s is %s; it must be %s%s.".formatted(name, value, rule, unitOfBound));
    }

    private static String bound(final double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    /** Numbers as users write them, with k, M and G, and as YAML delivers them. */
    private static final class Numbers {
        static final String DIGITS =
                "write digits, with k, M or G for thousands, millions or billions";

        private static final int LONGEST_TEXT = 40;
        private static final String RANGE = "..";

        private Numbers() {}

        /** Any number; {@code name} is the user's name for it, {@code advice} what to write. */
        static BigDecimal parse(final Object value, final String name, final String advice) {
            if (value instanceof final Number number) {
                return ofNumber(number, name, advice);
            }
            final String text = String.valueOf(value).strip();
            if (text.isEmpty() || text.length() > LONGEST_TEXT) {
                throw notANumber(value, name, advice);
            }
            final int power = power(text.charAt(text.length() - 1));
            try {
                return new BigDecimal(power == 0 ? text : text.substring(0, text.length() - 1))
                        .scaleByPowerOfTen(power);
            } catch (final NumberFormatException | ArithmeticException e) {
                throw notANumber(value, name, advice);
            }
        }

        private static BigDecimal ofNumber(
                final Number number, final String name, final String advice) {
            try {
                return new BigDecimal(number.toString());
            } catch (final NumberFormatException e) {
                throw notANumber(number, name, advice);
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

        private static UserError notANumber(
                final Object value, final String name, final String advice) {
            return UserError.usage(
                    "%s is %s, which is not a number; %s."
                            .formatted(name, Quote.of(value), advice));
        }

        /**
         * A whole number between two bounds, in {@code unit} (empty, or with a space before it).
         */
        static long parseWhole(
                final Object value,
                final long smallest,
                final long largest,
                final String name,
                final String unit) {
            final BigDecimal number = parse(value, name, DIGITS);
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
        static double parseDouble(final Object value, final String name, final String advice) {
            final double number = parse(value, name, advice).doubleValue();
            if (Double.isInfinite(number)) {
                throw notANumber(value, name, advice);
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
}
