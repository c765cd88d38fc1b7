package io.tickmark.kernel.settings;

import io.tickmark.kernel.host.HostAddress;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Reads settings records from what a user gave, and converts them back to plain values. */
public final class Settings {
    private Settings() {}

    /**
     * Reads a settings record.
     *
     * @param <S> the record
     * @param type its class
     * @param values given by key: text as typed on a command line or in a channel URI, or numbers,
     *     booleans and lists as YAML gives them; an absent value takes its default, in which {@link
     *     HostAddress} replaces loopback
     * @param naming how the user knows a key, for errors: {@code --payload-bytes}, {@code plan.yaml
     *     line 7: payloadBytes}
     * @return the record, with every value within its bounds
     * @throws UserError if a key is unknown, a value is not of its type or out of bounds, or a
     *     setting without a default is absent; also what the record's constructor throws
     */
    public static <S extends Record> S read(
            final Class<S> type, final Map<String, ?> values, final UnaryOperator<String> naming) {
        final List<SettingDescriptor> settings = SettingDescriptor.of(type);
        final List<String> known = settings.stream().map(SettingDescriptor::key).toList();
        for (final String key : values.keySet()) {
            if (!known.contains(key)) {
                throw unknown(key, settings, naming);
            }
        }
        return build(type, settings.iterator(), values, naming);
    }

    private static <S extends Record> S build(
            final Class<S> type,
            final Iterator<SettingDescriptor> settings,
            final Map<String, ?> values,
            final UnaryOperator<String> naming) {
        final RecordComponent[] components = type.getRecordComponents();
        final Object[] arguments = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            final Class<?> javaType = components[i].getType();
            if (javaType == Given.class) {
                arguments[i] = new Given(values.keySet());
                continue;
            }
            if (javaType.isRecord()) {
                arguments[i] = build(javaType.asSubclass(Record.class), settings, values, naming);
                continue;
            }
            final SettingDescriptor setting = settings.next();
            arguments[i] =
                    values.containsKey(setting.key())
                            ? new SettingParser(setting, javaType, naming.apply(setting.key()))
                                    .parse(values.get(setting.key()))
                            : byDefault(type, setting, javaType, naming);
        }
        return construct(type, components, arguments);
    }

    private static UserError unknown(
            final String key,
            final List<SettingDescriptor> settings,
            final UnaryOperator<String> naming) {
        final Optional<SettingDescriptor> renamed =
                settings.stream().filter(setting -> setting.formerly().contains(key)).findFirst();
        final List<String> known = settings.stream().map(SettingDescriptor::key).toList();
        final String hint;
        if (renamed.isPresent()) {
            hint =
                    "it is called %s now: %s"
                            .formatted(naming.apply(renamed.get().key()), renamed.get().help());
        } else {
            hint =
                    known.isEmpty()
                            ? "there are no settings here."
                            : NearestWord.hint(key, known, naming);
        }
        return UserError.usage("%s is not a setting here; %s".formatted(naming.apply(key), hint));
    }

    private static Object byDefault(
            final Class<?> type,
            final SettingDescriptor setting,
            final Class<?> javaType,
            final UnaryOperator<String> naming) {
        if (setting.byDefault().isEmpty()) {
            return switch (setting.type()) {
                case FLAG -> false;
                case TEXT -> "";
                case INT_LIST, TEXT_LIST -> List.of();
                case INT, LONG, NUMBER, DURATION, CHOICE ->
                        throw UserError.usage(
                                "%s is needed: %s"
                                        .formatted(naming.apply(setting.key()), setting.help()));
            };
        }
        final String name = "the default of " + type.getSimpleName() + "." + setting.key();
        try {
            return new SettingParser(setting, javaType, name)
                    .parse(HostAddress.localised(setting.byDefault()));
        } catch (final UserError e) {
            throw new IllegalStateException(e.getMessage(), e); // the annotation is invalid
        }
    }

    private static <S extends Record> S construct(
            final Class<S> type, final RecordComponent[] components, final Object[] arguments) {
        try {
            final Constructor<S> constructor =
                    type.getDeclaredConstructor(
                            Stream.of(components)
                                    .map(RecordComponent::getType)
                                    .toArray(Class<?>[]::new));
            constructor.setAccessible(true);
            return constructor.newInstance(arguments);
        } catch (final InvocationTargetException e) {
            if (e.getCause() instanceof final RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(type.getName() + " could not be made", e.getCause());
        } catch (final ReflectiveOperationException e) {
            throw new IllegalStateException(type.getName() + " could not be made", e);
        }
    }

    /**
     * The same settings with other values of some components.
     *
     * @param <S> the record
     * @param settings to copy
     * @param changed new values by the name of the component; a group counts as one
     * @return the record, checked by its constructor
     * @throws IllegalArgumentException if there is no such component
     */
    public static <S extends Record> S with(final S settings, final Map<String, ?> changed) {
        @SuppressWarnings("unchecked") // the class of an S
        final Class<S> type = (Class<S>) settings.getClass();
        final RecordComponent[] components = type.getRecordComponents();
        final Map<String, Object> values = new LinkedHashMap<>();
        for (final RecordComponent component : components) {
            values.put(component.getName(), value(settings, component));
        }
        for (final String name : changed.keySet()) {
            if (!values.containsKey(name)) {
                throw new IllegalArgumentException(type.getName() + " has no " + name);
            }
        }
        values.putAll(changed);
        return construct(type, components, values.values().toArray());
    }

    /**
     * A settings record as plain values, in the order of its components: numbers, booleans, text
     * and lists; durations as text with a unit, enums by their word.
     *
     * @param settings the record
     * @return key to value; {@link #read} reads it back
     */
    public static Map<String, Object> toMap(final Record settings) {
        final Map<String, Object> values = new LinkedHashMap<>();
        addTo(values, settings, SettingDescriptor.of(settings.getClass()).iterator());
        return values;
    }

    private static void addTo(
            final Map<String, Object> values,
            final Record settings,
            final Iterator<SettingDescriptor> descriptors) {
        for (final RecordComponent component : settings.getClass().getRecordComponents()) {
            switch (value(settings, component)) {
                case final Given _ -> {
                    // when read from a map of all values, all of them count as given
                }
                case final Record group -> addTo(values, group, descriptors);
                case final Object value -> {
                    final SettingDescriptor setting = descriptors.next();
                    values.put(setting.key(), plain(setting, value));
                }
            }
        }
    }

    private static Object value(final Record settings, final RecordComponent component) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(settings);
        } catch (final ReflectiveOperationException e) {
            throw new IllegalStateException(
                    settings.getClass().getName() + "." + component.getName() + " cannot be read",
                    e);
        }
    }

    private static Object plain(final SettingDescriptor setting, final Object value) {
        return switch (value) {
            // a value above the whole is only accepted with its sign
            case final Double part when setting.unit().equals(Setting.PART) && part >= 1 ->
                    BigDecimal.valueOf(part)
                                    .scaleByPowerOfTen(2)
                                    .stripTrailingZeros()
                                    .toPlainString()
                            + "%";
            case final Enum<?> constant -> SettingDescriptor.word(constant);
            case final Duration duration -> Durations.format(duration);
            default -> value;
        };
    }

    /**
     * Converts what a user gave for one setting into a value of its Java type, and checks its
     * bounds.
     */
    private static final class SettingParser {
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
                throw UserError.usage(
                        "%s takes one value, not %s.".formatted(name, Quote.of(value)));
            }
            return value;
        }

        /**
         * Files of a run do not contain secrets, and a plan among them can be run again unchanged.
         */
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
                                "%s is %s; it must be true or false."
                                        .formatted(name, Quote.of(value)));
            };
        }

        private double number(final Object value) {
            final String text = String.valueOf(value).strip();
            if (!setting.isShare() || !text.endsWith("%")) {
                final double number = Numbers.parseDouble(value, name, advice());
                if (setting.unit().equals(Setting.PART) && isTakenForPercent(number)) {
                    throw UserError.usage(
                            name + " is " + text + "; " + MissingPercentSign.withSign(text));
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
         * A bare number is in the setting's unit, where it has one: users of other tools type it
         * that way.
         */
        private String withUnit(final String text) {
            return !setting.unit().isEmpty() && text.matches("[0-9.]+")
                    ? text + setting.unit()
                    : text;
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
                            .formatted(
                                    name, Quote.of(value), String.join(", ", setting.choices())));
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
             * A whole number between two bounds, in {@code unit} (empty, or with a space before
             * it).
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
                final boolean isShort =
                        isWhole && number.precision() - number.scale() <= LONGEST_TEXT;
                final boolean isBelow = number.compareTo(BigDecimal.valueOf(smallest)) < 0;
                throw UserError.usage(
                        "%s is %s; it must be %s%s%s."
                                .formatted(
                                        name,
                                        isShort
                                                ? number.toBigInteger().toString()
                                                : Quote.of(value),
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
}
