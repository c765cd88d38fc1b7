package io.tickmark.workloads.messaging;

import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.time.ScheduleKind;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Checks that a pace and the settings given with it are consistent. Stateless, any thread. */
public final class PaceCheck {
    private static final String PACE = "pace";
    private static final String RATE = "rate";

    /** Settings that only one pace uses. */
    private static final Map<String, ScheduleKind> OF_ONE_PACE =
            Map.of(
                    "ticksPerSecond",
                    ScheduleKind.TICKS,
                    "burstOn",
                    ScheduleKind.BURSTS,
                    "burstOff",
                    ScheduleKind.BURSTS,
                    "sleep",
                    ScheduleKind.SLEEP);

    private PaceCheck() {}

    /**
     * Refuses settings that would otherwise be silently ignored.
     *
     * @param values as given, by key; those of other settings are ignored
     * @param later keys whose values are set later, whatever is given: they are not checked
     * @param naming how the user knows a key
     * @throws UserError if a pace lacks the rate that it spreads, has one that it cannot keep, or a
     *     setting is given that only another pace uses
     */
    public static void check(
            final Map<String, Object> values,
            final Set<String> later,
            final UnaryOperator<String> naming) {
        if (later.contains(PACE)) {
            return;
        }
        final Map<String, Object> own = new LinkedHashMap<>();
        SettingDescriptor.of(PaceSettings.class).stream()
                .map(SettingDescriptor::key)
                .filter(values::containsKey)
                .forEach(key -> own.put(key, values.get(key)));
        final PaceSettings settings = Settings.read(PaceSettings.class, own, naming);
        own.keySet().forEach(key -> checkOwner(key, settings.pace(), naming));
        if (values.containsKey(PACE) && !later.contains(RATE)) {
            checkRate(settings, naming);
        }
    }

    private static void checkOwner(
            final String key, final ScheduleKind pace, final UnaryOperator<String> naming) {
        final ScheduleKind owner = OF_ONE_PACE.getOrDefault(key, pace);
        if (owner != pace) {
            throw UserError.usage(
                    "%s: belongs to %s %s; give it, or leave this out."
                            .formatted(
                                    naming.apply(key),
                                    naming.apply(PACE),
                                    SettingDescriptor.word(owner)));
        }
    }

    private static void checkRate(final PaceSettings settings, final UnaryOperator<String> naming) {
        final boolean hasRate = settings.rate() > 0;
        final String said = naming.apply(PACE) + " " + SettingDescriptor.word(settings.pace());
        switch (settings.pace()) {
            case FIXED -> {
                // without a rate: a closed loop, or as fast as possible
            }
            case TICKS, POISSON, BURSTS -> {
                if (!hasRate) {
                    throw UserError.usage(
                            said + ": spreads a rate; give one with " + naming.apply(RATE) + ".");
                }
            }
            case SLEEP, AS_FAST_AS_POSSIBLE -> {
                if (hasRate) {
                    throw UserError.usage(
                            said
                                    + ": does not keep to a rate; leave "
                                    + naming.apply(RATE)
                                    + " out (or 0), or give another pace.");
                }
            }
        }
    }
}
