package io.tickmark.kernel.settings;

import io.tickmark.kernel.host.HostAddress;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
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
}
