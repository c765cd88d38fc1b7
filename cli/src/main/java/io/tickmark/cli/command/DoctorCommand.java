package io.tickmark.cli.command;

import io.tickmark.cli.option.SettingOptions;
import io.tickmark.cli.output.Terminal;
import io.tickmark.kernel.host.Environment;
import io.tickmark.kernel.host.HostCheck;
import io.tickmark.kernel.host.HostCheck.Severity;
import io.tickmark.kernel.host.HostChecks;
import io.tickmark.kernel.host.SyncedWrites;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.json.Json;
import io.tickmark.report.HostTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SystemNanoClock;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code doctor}: what on this machine distorts measurements, and how to change it. */
final class DoctorCommand implements Command {
    private static final long SYNC_NS = TimeUnit.MILLISECONDS.toNanos(500);

    /**
     * Options.
     *
     * @param folder where results and stores would be written
     * @param all whether good findings are shown too
     * @param json whether the checks are written to standard output as JSON
     * @param noDisk whether the disk is not tested
     */
    record Options(
            @Setting(
                            help = "Folder where results and stores would go.",
                            byDefault = ".",
                            label = "DIR")
                    String folder,
            @Setting(help = "Also show the checks that passed.") boolean all,
            @Setting(help = "Print the checks as JSON to standard output, and nothing else.")
                    boolean json,
            @Setting(help = "Do not measure how many synced writes the disk takes.")
                    boolean noDisk) {}

    DoctorCommand() {}

    private static SettingOptions options() {
        return new SettingOptions().add(SettingDescriptor.of(Options.class), Set.of());
    }

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description(
                        "Checks what on this machine affects measurements: what is set, what would be better, the command "
                                + "that changes it, and which measurements that helps. Changes nothing itself. Exit code 1 "
                                + "if something is likely to show in the figures.");
        options().addTo(spec);
        return spec;
    }

    @Override
    public String example() {
        return "./tickmark doctor --all";
    }

    @Override
    public int run(final ParseResult arguments, final Terminal terminal) {
        final SettingOptions given = options();
        final Options options =
                Settings.read(Options.class, given.values(arguments), given.naming(arguments));
        final Path folder = Path.of(options.folder());
        if (!Files.isDirectory(folder)) {
            throw UserError.usage(
                    "--folder %s: no such folder; name one that exists.".formatted(folder));
        }
        final List<HostCheck> checks = HostChecks.all(environment(folder, options.noDisk()));
        final boolean isWarned =
                checks.stream().anyMatch(check -> check.severity() == Severity.WARNING);
        if (options.json()) {
            final Map<String, Object> bySubject = new LinkedHashMap<>();
            checks.forEach(check -> bySubject.put(check.subject(), check.toMap()));
            terminal.out().print(Json.text(bySubject));
        } else {
            print(checks, options.all(), terminal);
        }
        terminal.out().flush();
        return isWarned ? 1 : 0;
    }

    private static Map<String, Map<String, Object>> environment(
            final Path folder, final boolean withoutDisk) {
        final Map<String, Map<String, Object>> environment =
                new LinkedHashMap<>(Environment.describe(folder, Map.of()));
        if (withoutDisk) {
            return environment;
        }
        final Map<String, Object> disks =
                new LinkedHashMap<>(environment.getOrDefault("disks", Map.of()));
        final OptionalDouble synced =
                SyncedWrites.perSecond(folder, SYNC_NS, SystemNanoClock.INSTANCE);
        if (synced.isPresent()) {
            disks.put("syncedWritesPerSecond", synced.getAsDouble());
        } else {
            disks.put("syncedWritesUnknown", "no file can be written and synced in " + folder);
        }
        environment.put("disks", disks);
        return environment;
    }

    private static void print(
            final List<HostCheck> checks, final boolean all, final Terminal terminal) {
        final List<HostCheck> shown =
                checks.stream()
                        .filter(check -> all || check.severity() != Severity.OK)
                        .sorted(Comparator.comparing(HostCheck::severity))
                        .toList();
        terminal.out().print(HostTable.of(shown, terminal.textColumns(), terminal.boldOut()));
        terminal.out()
                .println(
                        "%d checks: %d warnings, %d notes, %d as they should be."
                                .formatted(
                                        checks.size(),
                                        count(checks, Severity.WARNING),
                                        count(checks, Severity.NOTE),
                                        count(checks, Severity.OK)));
        terminal.out().println("What that means in figures: ./tickmark quick");
    }

    private static long count(final List<HostCheck> checks, final Severity severity) {
        return checks.stream().filter(check -> check.severity() == severity).count();
    }
}
