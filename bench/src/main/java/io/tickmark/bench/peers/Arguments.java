package io.tickmark.bench.peers;

import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The command line of {@code bench/run}: {@code --option value} pairs. */
final class Arguments {
    private static final List<SettingDescriptor> OPTIONS =
            SettingDescriptor.of(SideBySideSettings.class);

    private Arguments() {}

    static SideBySideSettings parse(final String... args) {
        final Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < args.length; i += 2) {
            final String option = args[i];
            final SettingDescriptor setting =
                    OPTIONS.stream()
                            .filter(known -> known.option().equals(option))
                            .findFirst()
                            .orElseThrow(() ->
                                    UserError.usage(
                                            option
                                                    + ": is not an option here; see bench/run --help."));
            if (i + 1 == args.length) {
                throw UserError.usage(option + ": takes a value; see bench/run --help.");
            }
            values.put(setting.key(), args[i + 1]);
        }
        return Settings.read(SideBySideSettings.class, values, Arguments::option);
    }

    private static String option(final String key) {
        return OPTIONS.stream()
                .filter(setting -> setting.key().equals(key))
                .map(SettingDescriptor::option)
                .findFirst()
                .orElse(key);
    }

    static String help() {
        final StringBuilder text =
                new StringBuilder(
                        """
                        Usage: bench/run [--option value]...
                        Measures tickmark and its peers in turn and writes the ratios.

                        """);
        for (final SettingDescriptor setting : OPTIONS) {
            text.append(
                    "  %-28s %s%s%n"
                            .formatted(
                                    setting.option() + " " + setting.label(),
                                    setting.help(),
                                    setting.byDefault().isEmpty()
                                            ? ""
                                            : " Default " + setting.byDefault() + "."));
        }
        return text.append("\nExample: bench/run --only udp,shm --rounds 3\n").toString();
    }
}
