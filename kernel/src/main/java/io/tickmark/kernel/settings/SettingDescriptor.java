package io.tickmark.kernel.settings;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One setting as options, schema and docs see it.
 *
 * @param key name in plans, JSON and docs ({@code payloadBytes})
 * @param option long option ({@code --payload-bytes})
 * @param aliases further spellings on the command line, dashes included
 * @param formerly keys of earlier versions, which are refused with the new one
 * @param type what kind of value it takes
 * @param choices allowed words where {@code type} is CHOICE, in lower case
 * @param byDefault default as text, may be empty
 * @param whenWarm value for a further trial of a search in the same process, as text; empty for the
 *     setting's own
 * @param unit unit of the value, may be empty
 * @param min inclusive lower bound, negative infinity where there is none
 * @param max inclusive upper bound, positive infinity where there is none
 * @param label word for the value in help
 * @param help one sentence
 * @param peers roles to which the address in the value belongs, none where it does not belong to
 *     others
 */
public record SettingDescriptor(
        String key,
        String option,
        List<String> aliases,
        List<String> formerly,
        SettingType type,
        List<String> choices,
        String byDefault,
        String whenWarm,
        String unit,
        double min,
        double max,
        String label,
        String help,
        List<String> peers) {
    /** Cached, because annotations are parsed again at each access. */
    private static final ClassValue<List<SettingDescriptor>> DESCRIBED =
            new ClassValue<>() {
                @Override
                protected List<SettingDescriptor> computeValue(final Class<?> settings) {
                    return describe(settings.asSubclass(Record.class));
                }
            };

    /** Copies the lists. */
    public SettingDescriptor {
        aliases = List.copyOf(aliases);
        formerly = List.copyOf(formerly);
        choices = List.copyOf(choices);
        peers = List.copyOf(peers);
    }

    /**
     * Describes every component of a settings record. A component that is itself a settings record
     * is a group that several records share: its components take its place, with the {@link
     * Defaults} of this record. {@link Given} is skipped.
     *
     * @param settings a record whose components all carry {@link Setting} or are such records
     * @return descriptors in the order of the components
     * @throws IllegalArgumentException if a component has no annotation or a type that settings do
     *     not know
     */
    public static List<SettingDescriptor> of(final Class<? extends Record> settings) {
        return DESCRIBED.get(settings);
    }

    /**
     * Whether it is a share, which accepts a percent sign.
     *
     * @return true where its unit says so
     */
    public boolean isShare() {
        return unit.equals(Setting.PART) || unit.equals(Setting.PERCENT);
    }

    private static List<SettingDescriptor> describe(final Class<? extends Record> settings) {
        final List<SettingDescriptor> found = new ArrayList<>();
        for (final RecordComponent component : settings.getRecordComponents()) {
            if (component.getType() == Given.class) {
                continue;
            }
            if (component.getType().isRecord()) {
                found.addAll(
                        with(
                                component.getAnnotation(Defaults.class),
                                of(component.getType().asSubclass(Record.class)),
                                settings.getName() + "." + component.getName()));
                continue;
            }
            final Setting setting = component.getAnnotation(Setting.class);
            if (setting == null) {
                throw new IllegalArgumentException(
                        settings.getName() + "." + component.getName() + " has no @Setting");
            }
            found.add(of(component, setting));
        }
        return List.copyOf(found);
    }

    private static List<SettingDescriptor> with(
            final Defaults defaults, final List<SettingDescriptor> group, final String where) {
        if (defaults == null) {
            return group;
        }
        final List<SettingDescriptor> changed = new ArrayList<>(group);
        for (final String each : defaults.value()) {
            final int equals = each.indexOf('=');
            final String key = equals < 0 ? each : each.substring(0, equals);
            if (equals < 0 || group.stream().noneMatch(setting -> setting.key().equals(key))) {
                throw new IllegalArgumentException(
                        "\"" + each + "\" of " + where + " is no default of its group");
            }
            changed.replaceAll(setting ->
                    setting.key().equals(key)
                            ? setting.withDefault(each.substring(equals + 1))
                            : setting);
        }
        return List.copyOf(changed);
    }

    private SettingDescriptor withDefault(final String text) {
        return new SettingDescriptor(
                key, option, aliases, formerly, type, choices, text, whenWarm, unit, min, max,
                label, help, peers);
    }

    private static SettingDescriptor of(final RecordComponent component, final Setting setting) {
        final SettingType type = SettingType.of(component);
        final String key = setting.key().isEmpty() ? component.getName() : setting.key();
        return new SettingDescriptor(
                key,
                option(key),
                List.of(setting.aliases()),
                List.of(setting.formerly()),
                type,
                type == SettingType.CHOICE ? choices(component.getType()) : List.of(),
                setting.byDefault(),
                setting.whenWarm(),
                setting.unit(),
                setting.min(),
                setting.max(),
                setting.label().isEmpty() ? type.label() : setting.label(),
                setting.help(),
                List.of(setting.peers()));
    }

    private static List<String> choices(final Class<?> enumType) {
        final List<String> words = new ArrayList<>();
        for (final Object constant : enumType.getEnumConstants()) {
            words.add(word((Enum<?>) constant));
        }
        return words;
    }

    /**
     * The word by which a user names an enum constant: {@code AS_FAST_AS_POSSIBLE} is {@code
     * as-fast-as-possible}.
     *
     * @param constant the constant
     * @return its word
     */
    public static String word(final Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * The long option of a key.
     *
     * @param key in camel case
     * @return such as {@code --payload-bytes}
     */
    public static String option(final String key) {
        return "--" + kebab(key);
    }

    private static String kebab(final String camel) {
        final StringBuilder text = new StringBuilder();
        for (final char c : camel.toCharArray()) {
            if (Character.isUpperCase(c)) {
                text.append('-');
            }
            text.append(Character.toLowerCase(c));
        }
        return text.toString();
    }
}
