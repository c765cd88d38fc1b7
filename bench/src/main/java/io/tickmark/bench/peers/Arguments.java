package io.tickmark.bench.peers;

import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The command line of {@code bench/run}: {@code --option value} pairs. */
final class Arguments {
    private static final List<SettingDescriptor> OPTIONS =
            SettingDescriptor.of(SideBySideSettings.class);

    /** The contests are named first, and a page is a place of one machine. */
    private static final Set<String> NOT_REPEATED = Set.of("--only", "--docs");

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

    /**
     * The command that repeats contests: with all options that were given but the page.
     *
     * @param contests to repeat, separated by commas
     * @param args as given, which have been parsed
     */
    static String command(final String contests, final List<String> args) {
        final StringBuilder text = new StringBuilder("bench/run --only ").append(contests);
        for (int i = 0; i < args.size(); i += 2) {
            if (!NOT_REPEATED.contains(args.get(i))) {
                text.append(' ').append(args.get(i)).append(' ').append(args.get(i + 1));
            }
        }
        return text.toString();
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
