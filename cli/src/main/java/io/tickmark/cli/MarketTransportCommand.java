package io.tickmark.cli;

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

/**
 * {@code market transport}: the shipped plan {@code market-transport}, with its settings as
 * options.
 */
final class MarketTransportCommand implements Command {
    private static final String PLAN = "market-transport";

    private final RoleCatalog roles = RoleCatalog.load();

    MarketTransportCommand() {}

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description(
                        "Sends opaque messages over the RSSL transport between two processes on this machine: what the transport"
                                + " costs without any message model.");
        options().addTo(spec);
        MeasureOptions.addTo(spec);
        return spec;
    }

    @Override
    public String example() {
        return "./tickmark market transport --payload-bytes 76 --rate 100k --duration 10s";
    }

    @Override
    public int run(final ParseResult arguments, final Terminal terminal) throws Exception {
        final Map<String, Object> values = options().values(arguments);
        Settings.read(role().settings(), values, options().naming(arguments));
        final MeasureOptions options = MeasureOptions.of(arguments);
        final Plan shipped = new PlanLibrary(roles).find(PLAN);
        final Plan plan = options.applyTo(PlanChanges.withSettings(shipped, values), arguments);
        return new Measurement(terminal, options).run(plan);
    }

    private RoleFactory<?> role() {
        return roles.find("market-transport-sender");
    }

    private SettingOptions options() {
        return new SettingOptions()
                .add(SettingDescriptor.of(role().settings()), Set.of("host", "port"));
    }
}
