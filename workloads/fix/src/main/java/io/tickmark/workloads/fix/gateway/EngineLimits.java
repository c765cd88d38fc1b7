package io.tickmark.workloads.fix.gateway;

import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.fix.gateway.GatewaySettings.SlowPolicy;
import io.tickmark.workloads.fix.gateway.OwnEngine.OwnEngines;
import io.tickmark.workloads.fix.session.FixVersion;
import java.util.HashSet;
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
    private static final Set<String> FOLLOWED_BY_ALL =
            Set.of(
                    "channel",
                    "bind",
                    "producersPort",
                    "consumersPort",
                    "version",
                    "gatewayId",
                    "producerPrefix",
                    "fanOut",
                    "exitAtEnd");

    private EngineLimits() {}

    /**
     * Refuses settings that an engine does not support and that differ from their default.
     *
     * @param settings of the gateway
     * @param engine its word
     * @param followed keys of the settings that it supports besides those that every engine does
     * @throws UserError with the first option that it does not know
     */
    public static void check(
            final GatewaySettings settings, final String engine, final Set<String> followed) {
        if (settings.session().version() != FixVersion.FIX_4_4) {
            throw UserError.usage(
                    "--version: --engine %s supports fix-4-4 only here.".formatted(engine));
        }
        if (settings.slow().slow() == SlowPolicy.CONFLATE) {
            throw UserError.usage("--slow: --engine %s cannot conflate.".formatted(engine));
        }
        final Set<String> known = new HashSet<>(followed);
        known.addAll(FOLLOWED_BY_ALL);
        final Map<String, Object> given = Settings.toMap(settings);
        for (final SettingDescriptor setting : SettingDescriptor.of(GatewaySettings.class)) {
            if (!known.contains(setting.key())
                    && !given.get(setting.key()).equals(DEFAULTS.get(setting.key()))) {
                throw UserError.usage(
                        "%s: --engine %s does not support it; leave it out, or use --engine %s."
                                .formatted(setting.option(), engine, OwnEngines.NAME));
            }
        }
    }
}
