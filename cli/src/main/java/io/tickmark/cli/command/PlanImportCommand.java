package io.tickmark.cli.command;

import io.tickmark.cli.option.OpenMessagingDialect;
import io.tickmark.cli.option.SettingOptions;
import io.tickmark.cli.output.Terminal;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.PlanYaml;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code plans import}: a plan of what another tool measures. */
final class PlanImportCommand implements Command {
    PlanImportCommand() {}

    /**
     * What the workload runs on.
     *
     * @param driver configuration of the driver
     * @param jars of the driver
     */
    record Driver(
            @Setting(
                            help =
                                    "The driver's configuration, a YAML file with a driverClass; required.",
                            label = "FILE")
                    String driver,
            @Setting(
                            help =
                                    "Folders with the driver's jars (default: the folder lib beside the configuration or"
                                            + " beside its folder).",
                            label = "FOLDER,...")
                    List<String> jars) {}

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description(
                        "Prints a plan that measures what a workload of the OpenMessaging Benchmark describes, through one of"
                                + " its drivers. What is done differently is reported on standard error and in the plan's"
                                + " first lines; what cannot be done is an error.");
        spec.addPositional(
                PositionalParamSpec.builder()
                        .paramLabel("WORKLOAD")
                        .arity("1")
                        .type(Path.class)
                        .description("File of the workload.")
                        .build());
        options().addTo(spec);
        return spec;
    }

    @Override
    public String example() {
        return "./tickmark plans import workloads/1-topic-1-partition-1kb.yaml --driver driver-mine/mine.yaml";
    }

    @Override
    public int run(final ParseResult arguments, final Terminal terminal) {
        final Driver driver =
                Settings.read(
                        Driver.class, options().values(arguments), options().naming(arguments));
        if (driver.driver().isEmpty()) {
            throw UserError.usage(
                    "plans import: --driver is missing; give the configuration of the driver to measure.");
        }
        final Path workload = arguments.matchedPositionalValue(0, (Path) null);
        if (workload == null) {
            throw UserError.usage("plans import: names no workload; give the path of its file.");
        }
        final OpenMessagingDialect.Imported imported =
                OpenMessagingDialect.plan(workload, driver.driver(), driver.jars());
        for (final String remark : imported.remarks()) {
            terminal.err().println("tickmark: " + remark);
            terminal.out().println("# " + remark);
        }
        terminal.out().print(PlanYaml.write(imported.plan()));
        terminal.out().flush();
        return 0;
    }

    private static SettingOptions options() {
        return new SettingOptions().add(SettingDescriptor.of(Driver.class), Set.of());
    }
}
