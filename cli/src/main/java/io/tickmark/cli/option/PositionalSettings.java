package io.tickmark.cli.option;

import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.UserError;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/**
 * Settings that can be given without their option, in an order known from other tools; may be
 * omitted from the end.
 *
 * @param keys of the settings, in order
 */
public record PositionalSettings(List<String> keys) {
    /**
     * Gives a command these arguments.
     *
     * @param spec of the command
     * @param settings of the roles, which have the keys
     */
    public void addTo(final CommandSpec spec, final List<SettingDescriptor> settings) {
        for (int i = 0; i < keys.size(); i++) {
            final SettingDescriptor setting = find(settings, keys.get(i));
            spec.addPositional(
                    PositionalParamSpec.builder()
                            .index(Integer.toString(i))
                            .arity("0..1")
                            .type(String.class)
                            .paramLabel(label(setting.key()))
                            .description("The same as " + setting.option() + ".")
                            .build());
        }
    }

    private static SettingDescriptor find(
            final List<SettingDescriptor> settings, final String key) {
        return settings.stream()
                .filter(setting -> setting.key().equals(key))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no setting " + key));
    }

    /** {@code progressEvery} is {@code PROGRESS_EVERY}. */
    private static String label(final String key) {
        return key.replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);
    }

    /**
     * What was typed without an option, and the options.
     *
     * @param options key to text
     * @param naming of the options
     * @param parsed command line
     * @return key to text
     * @throws UserError if a setting is given both ways
     */
    public Map<String, Object> and(
            final Map<String, Object> options,
            final UnaryOperator<String> naming,
            final ParseResult parsed) {
        final Map<String, Object> values = new LinkedHashMap<>(options);
        for (int i = 0; i < keys.size(); i++) {
            if (parsed.hasMatchedPositional(i)) {
                final String text = parsed.matchedPositionalValue(i, "");
                if (values.put(keys.get(i), text) != null) {
                    throw UserError.usage(
                            "%s is given twice: as %s and as argument %d ('%s'); leave one out."
                                    .formatted(
                                            label(keys.get(i)),
                                            naming.apply(keys.get(i)),
                                            i + 1,
                                            text));
                }
            }
        }
        return values;
    }

    /**
     * The user's name for a key: its position where it was typed without an option.
     *
     * @param naming of the options
     * @param parsed command line
     * @return key to name
     */
    public UnaryOperator<String> naming(
            final UnaryOperator<String> naming, final ParseResult parsed) {
        return key -> {
            final int place = keys.indexOf(key);
            return place >= 0 && parsed.hasMatchedPositional(place)
                    ? label(key)
                    : naming.apply(key);
        };
    }
}
