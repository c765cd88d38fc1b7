package io.tickmark.cli;

import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.messaging.SocketPaceSettings;
import io.tickmark.workloads.messaging.SocketSettings;
import io.tickmark.workloads.messaging.UmSettings;
import io.tickmark.workloads.messaging.store.FlightSettings;
import io.tickmark.workloads.messaging.store.PatienceSettings;
import io.tickmark.workloads.messaging.store.StoreSettings;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Streams over bare sockets, in the words of programs that test those. */
final class SocketDialect implements Dialect {
    private static final String RATE = "rate";
    private static final String SLEEP_US = "sleepUs";

    private final boolean sends;
    private final boolean byHand;

    /** {@code sends} where a publisher is among the roles. */
    SocketDialect(final boolean sends, final boolean byHand) {
        this.sends = sends;
        this.byHand = byHand;
    }

    @Override
    public List<SettingDescriptor> options() {
        final List<SettingDescriptor> options =
                new ArrayList<>(SettingDescriptor.of(SocketSettings.class));
        if (sends) {
            options.addAll(SettingDescriptor.of(SocketPaceSettings.class));
        }
        return options;
    }

    /** One socket is one topic, copies what it is given, and has no store. */
    @Override
    public Set<String> replaced() {
        final Set<String> replaced =
                new HashSet<>(Set.of("channel", "topics", "sleep", "generic", "sendPath"));
        Stream.of(
                        FlightSettings.class,
                        PatienceSettings.class,
                        StoreSettings.class,
                        UmSettings.class)
                .flatMap(group -> SettingDescriptor.of(group).stream())
                .map(SettingDescriptor::key)
                .forEach(replaced::add);
        return replaced;
    }

    @Override
    public Map<String, Object> meant(
            final Map<String, Object> typed, final UnaryOperator<String> naming) {
        final Map<String, Object> meant = new LinkedHashMap<>(typed);
        meant.put("channel", take(SocketSettings.class, typed, meant, naming).channel(byHand));
        final long sleepUs = take(SocketPaceSettings.class, typed, meant, naming).sleepUs();
        if (sleepUs >= 0) {
            for (final String other : List.of(RATE, "pace")) {
                if (typed.containsKey(other)) {
                    throw UserError.usage(
                            "%s %s and %s %s: a publisher keeps to a rate or sleeps between sends; give one."
                                    .formatted(
                                            naming.apply(SLEEP_US),
                                            typed.get(SLEEP_US),
                                            naming.apply(other),
                                            typed.get(other)));
                }
            }
            meant.put("pace", "sleep");
            meant.put("sleep", sleepUs + "us");
        }
        return meant;
    }

    /** Reads the settings of one record, and takes them out of what the role will get. */
    private static <S extends Record> S take(
            final Class<S> type,
            final Map<String, Object> typed,
            final Map<String, Object> meant,
            final UnaryOperator<String> naming) {
        final Map<String, Object> own = new LinkedHashMap<>();
        for (final SettingDescriptor setting : SettingDescriptor.of(type)) {
            if (meant.remove(setting.key()) != null) {
                own.put(setting.key(), typed.get(setting.key()));
            }
        }
        return Settings.read(type, own, naming);
    }
}
