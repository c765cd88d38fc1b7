package io.tickmark.cli.command;

import io.tickmark.cli.option.Dialect;
import io.tickmark.cli.option.EmaPerfDialect;
import io.tickmark.cli.option.MeasureOptions;
import io.tickmark.cli.option.PlanChanges;
import io.tickmark.cli.option.SettingOptions;
import io.tickmark.cli.output.Terminal;
import io.tickmark.cli.run.Measurement;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.PlanLibrary;
import io.tickmark.lab.plan.RoleCatalog;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** A shipped plan, with the settings of one of its roles as options. */
final class ShippedPlanCommand implements Command {
    private final String plan;
    private final String description;
    private final String example;
    private final Dialect dialect;
    private final Set<String> without;
    private final RoleCatalog roles = RoleCatalog.load();
    private final RoleFactory<?> role;

    private ShippedPlanCommand(
            final String plan,
            final String role,
            final String description,
            final String example,
            final Dialect dialect,
            final Set<String> without) {
        this.plan = plan;
        this.description = description;
        this.example = example;
        this.dialect = dialect;
        this.without = without;
        this.role = roles.find(role);
    }

    /** {@code calibrate}. */
    static ShippedPlanCommand calibrate() {
        return new ShippedPlanCommand(
                "calibrate",
                "calibrate",
                "The bench measures itself: on a channel with programmed delays, stalls, losses, duplicates and swapped"
                        + " pairs it shows what was programmed beside what it measured.",
                "./tickmark calibrate",
                Dialect.NONE,
                Set.of("channel"));
    }

    /** {@code market transport}. */
    static ShippedPlanCommand marketTransport() {
        return new ShippedPlanCommand(
                "market-transport",
                "market-transport-sender",
                "Sends opaque messages over the RSSL transport between two processes on this machine: what the transport"
                        + " costs without any message model.",
                "./tickmark market transport --payload-bytes 76 --rate 100k --duration 10s",
                EmaPerfDialect.TRANSPORT,
                Set.of("host", "port"));
    }

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage().description(description + dialect.mention());
        options().addTo(spec);
        MeasureOptions.addTo(spec);
        return spec;
    }

    @Override
    public String example() {
        return example;
    }

    @Override
    public int run(final ParseResult arguments, final Terminal terminal) throws Exception {
        final Map<String, Object> values = options().values(arguments);
        Settings.read(role.settings(), values, options().naming(arguments));
        final MeasureOptions options = MeasureOptions.of(arguments);
        final Plan shipped = new PlanLibrary(roles).find(plan);
        return new Measurement(terminal, options)
                .run(options.applyTo(PlanChanges.withSettings(shipped, values), arguments));
    }

    private SettingOptions options() {
        return new SettingOptions(dialect).add(SettingDescriptor.of(role.settings()), without);
    }
}
