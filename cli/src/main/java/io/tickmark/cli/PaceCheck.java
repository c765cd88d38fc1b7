package io.tickmark.cli;

import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.messaging.PaceSettings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Whether a pace and a rate that were typed go together. In a plan they need not: a search gives
 * the rate later.
 */
final class PaceCheck {
    private static final String PACE = "pace";
    private static final String RATE = "rate";

    private PaceCheck() {}

    /**
     * Refuses what would else be passed over in silence.
     *
     * @param values as typed, by key
     * @param naming how the user knows a key
     * @throws UserError if a pace lacks the rate that it spreads, or has one that it cannot keep
     */
    static void check(final Map<String, Object> values, final UnaryOperator<String> naming) {
        if (!values.containsKey(PACE)) {
            return;
        }
        final Map<String, Object> own = new LinkedHashMap<>();
        SettingDescriptor.of(PaceSettings.class).stream()
                .map(SettingDescriptor::key)
                .filter(values::containsKey)
                .forEach(key -> own.put(key, values.get(key)));
        final PaceSettings settings = Settings.read(PaceSettings.class, own, naming);
        final boolean hasRate = settings.rate() > 0;
        final String said = naming.apply(PACE) + " " + SettingDescriptor.word(settings.pace());
        switch (settings.pace()) {
            case FIXED -> {
                // without a rate: a closed loop, or as fast as possible
            }
            case TICKS, POISSON, BURSTS -> {
                if (!hasRate) {
                    throw UserError.usage(said + ": spreads a rate; give one with --rate.");
                }
            }
            case SLEEP, AS_FAST_AS_POSSIBLE -> {
                if (hasRate) {
                    throw UserError.usage(
                            said
                                    + ": keeps to no rate; leave "
                                    + naming.apply(RATE)
                                    + " out, or give another pace.");
                }
            }
        }
    }
}
