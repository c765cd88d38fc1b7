package io.tickmark.workloads.fix.gateway;

import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.fix.gateway.OwnEngine.OwnEngines;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks settings against what a foreign engine supports: an unsupported one is refused, never
 * ignored, and so is a setting that is added to the gateway later. Stateless.
 */
public final class EngineLimits {
    private static final Map<String, Object> DEFAULTS =
            Settings.toMap(Settings.read(GatewaySettings.class, Map.of(), key -> key));

    /** Settings that the role itself handles, or every engine. */
    private static final Map<String, Supported> BY_ALL =
            Map.of(
                    "channel", Supported.ANY,
                    "bind", Supported.ANY,
                    "producersPort", Supported.ANY,
                    "consumersPort", Supported.ANY,
                    "version", Supported.only("supports fix-4-4 only here", "fix-4-4"),
                    "gatewayId", Supported.ANY,
                    "producerPrefix", Supported.ANY,
                    "fanOut", Supported.ANY,
                    "exitAtEnd", Supported.ANY);

    private EngineLimits() {}

    /**
     * The values of a setting that an engine supports.
     *
     * @param values as in results: numbers, or words; none for any
     * @param otherwise what is said of the engine where another one is given
     */
    public record Supported(Set<Object> values, String otherwise) {
        /** Whatever the setting accepts. */
        public static final Supported ANY = new Supported(Set.of(), "");

        /** Copies the values. */
        public Supported {
            values = Set.copyOf(values);
        }

        /**
         * Only some values.
         *
         * @param otherwise predicate of the engine for the user, with what to do
         * @param values that it supports, among them the default
         * @return them
         */
        public static Supported only(final String otherwise, final Object... values) {
            return new Supported(Set.copyOf(List.of(values)), otherwise);
        }

        private boolean takes(final Object value) {
            return values.isEmpty() || values.contains(value);
        }
    }

    /**
     * Refuses settings that an engine does not support.
     *
     * @param settings of the gateway
     * @param engine its word
     * @param supported by the key of a setting, besides what every engine supports; of a setting
     *     that is not among them only the default
     * @throws UserError with the first option that it does not know
     */
    public static void check(
            final GatewaySettings settings,
            final String engine,
            final Map<String, Supported> supported) {
        final Map<String, Object> given = Settings.toMap(settings);
        for (final SettingDescriptor setting : SettingDescriptor.of(GatewaySettings.class)) {
            final String key = setting.key();
            final Supported here =
                    supported.getOrDefault(key, BY_ALL.getOrDefault(key, byDefault(key)));
            if (!here.takes(given.get(key))) {
                throw UserError.usage(
                        "%s: --engine %s %s."
                                .formatted(setting.option(), engine, here.otherwise()));
            }
        }
    }

    private static Supported byDefault(final String key) {
        return Supported.only(
                "does not support it; leave it out, or use --engine " + OwnEngines.NAME,
                DEFAULTS.get(key));
    }
}
