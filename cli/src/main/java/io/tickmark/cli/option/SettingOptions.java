package io.tickmark.cli.option;

import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.SettingType;
import io.tickmark.kernel.settings.UserError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * Command-line options derived from settings. Values stay text: {@link
 * io.tickmark.kernel.settings.Settings} reads them, and names them as the user typed them.
 */
public final class SettingOptions {
    private final Map<String, SettingDescriptor> byKey = new LinkedHashMap<>();
    private final Map<String, List<String>> namesByKey = new LinkedHashMap<>();
    private final Set<String> taken = new HashSet<>();
    private final Set<String> hidden = new HashSet<>();
    private final Map<String, String> spellings;

    /** Options with our own spellings. */
    public SettingOptions() {
        this(Dialect.NONE);
    }

    /**
     * Options with the spellings of another tool as well; its own come before those that are added.
     *
     * @param dialect of that tool
     */
    public SettingOptions(final Dialect dialect) {
        spellings = dialect.spellings();
        add(dialect.options(), Set.of());
        if (!dialect.areOptionsShown()) {
            hidden.addAll(byKey.keySet());
        }
    }

    /**
     * Adds an option for each setting. A key that already exists keeps its option: it is passed to
     * every role that knows it. A spelling in use stays with the setting that had it first.
     *
     * @param settings to add
     * @param without keys to omit
     * @return this
     */
    public SettingOptions add(final List<SettingDescriptor> settings, final Set<String> without) {
        for (final SettingDescriptor setting : settings) {
            if (!without.contains(setting.key())
                    && byKey.putIfAbsent(setting.key(), setting) == null) {
                final List<String> names = new ArrayList<>();
                Stream.concat(setting.aliases().stream(), spelled(setting.key()))
                        .filter(taken::add)
                        .forEach(names::add);
                if (taken.add(setting.option())) {
                    names.add(setting.option());
                }
                namesByKey.put(setting.key(), names);
            }
        }
        return this;
    }

    private Stream<String> spelled(final String key) {
        return spellings.entrySet().stream()
                .filter(spelling -> spelling.getValue().equals(key))
                .map(Map.Entry::getKey)
                .sorted();
    }

    /**
     * Gives a command these options.
     *
     * @param spec of the command
     */
    public void addTo(final CommandSpec spec) {
        byKey.forEach((key, setting) -> {
            if (!namesByKey.get(key).isEmpty()) {
                spec.addOption(option(setting, namesByKey.get(key), hidden.contains(key)));
            }
        });
        former().forEach((name, setting) -> {
            if (spec.findOption(name) == null) {
                spec.addOption(
                        OptionSpec.builder(name)
                                .type(String.class)
                                .arity("1")
                                .hidden(true)
                                .build());
            }
        });
    }

    /**
     * Options of earlier versions that are not in use now: they are accepted in order to be
     * refused.
     */
    private Map<String, SettingDescriptor> former() {
        final Map<String, SettingDescriptor> former = new LinkedHashMap<>();
        for (final SettingDescriptor setting : byKey.values()) {
            for (final String key : setting.formerly()) {
                final String name = SettingDescriptor.option(key);
                if (!taken.contains(name)) {
                    former.put(name, setting);
                }
            }
        }
        return former;
    }

    private static OptionSpec option(
            final SettingDescriptor setting, final List<String> names, final boolean isHidden) {
        final OptionSpec.Builder option =
                OptionSpec.builder(names.toArray(String[]::new))
                        .hidden(isHidden)
                        .description(help(setting).replace("%", "%%"))
                        .paramLabel(label(setting));
        return switch (setting.type()) {
            // Without a default to overrule it is a plain switch. For a Boolean with a value,
            // picocli consumes the next word
            // only where it is true or false.
            case FLAG ->
                    option.type(Boolean.class)
                            .arity(setting.byDefault().isEmpty() ? "0" : "0..1")
                            .fallbackValue("true")
                            .build();
            // -peer a -peer b is the same as -peer a,b
            case INT_LIST, TEXT_LIST ->
                    option.type(List.class).auxiliaryTypes(String.class).arity("1").build();
            default -> option.type(String.class).arity("1").build();
        };
    }

    /**
     * What was typed.
     *
     * @param parsed command line
     * @return key to text, only what was given
     * @throws UserError if a list was given and is empty
     */
    public Map<String, Object> values(final ParseResult parsed) {
        final Map<String, Object> values = new LinkedHashMap<>();
        former().forEach((name, setting) -> {
            if (parsed.hasMatchedOption(name)) {
                throw UserError.usage(
                        "%s is not an option here; it is called %s now: %s"
                                .formatted(name, setting.option(), setting.help()));
            }
        });
        byKey.forEach((key, setting) -> {
            final String name = namesByKey.get(key).isEmpty() ? "" : namesByKey.get(key).getLast();
            if (!name.isEmpty() && parsed.hasMatchedOption(name)) {
                values.put(key, text(setting, parsed.matchedOption(name)));
            }
        });
        return values;
    }

    private static String text(final SettingDescriptor setting, final OptionSpec option) {
        return switch (setting.type()) {
            case INT_LIST, TEXT_LIST -> {
                final String list = String.join(",", option.<List<String>>getValue());
                if (list.isBlank()) { // would otherwise be treated as not given
                    throw UserError.usage(
                            setting.option() + " is empty; give a value, or leave it out.");
                }
                yield list;
            }
            default -> String.valueOf(option.<Object>getValue());
        };
    }

    /**
     * The user's name for a key: the typed spelling, otherwise the long option.
     *
     * @param parsed command line
     * @return key to option
     */
    public UnaryOperator<String> naming(final ParseResult parsed) {
        final List<String> typed =
                parsed.originalArgs().stream().map(SettingOptions::name).toList();
        return key ->
                namesByKey.getOrDefault(key, List.of()).stream()
                        .filter(typed::contains)
                        .findFirst()
                        .orElseGet(() -> byKey.containsKey(key) ? byKey.get(key).option() : key);
    }

    private static String name(final String argument) {
        final int equals = argument.indexOf('=');
        return equals < 0 ? argument : argument.substring(0, equals);
    }

    /**
     * The sentence, then unit and default in brackets.
     *
     * @param setting to describe
     * @return one line
     */
    public static String help(final SettingDescriptor setting) {
        final List<String> facts = new ArrayList<>();
        if (!setting.unit().isEmpty()) {
            facts.add(setting.unit());
        }
        if (!setting.byDefault().isEmpty() && setting.type() != SettingType.FLAG) {
            facts.add("default: " + setting.byDefault());
        } else if (setting.byDefault().equals("true")) {
            facts.add("on unless =false");
        }
        return facts.isEmpty()
                ? setting.help()
                : setting.help() + " (" + String.join(", ", facts) + ")";
    }

    /**
     * The word for its value: the choices where there are few.
     *
     * @param setting to describe
     * @return such as {@code N} or {@code spin|yield}
     */
    public static String label(final SettingDescriptor setting) {
        return setting.choices().isEmpty() ? setting.label() : String.join("|", setting.choices());
    }
}
