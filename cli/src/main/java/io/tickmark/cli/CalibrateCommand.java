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

/** {@code calibrate}: the shipped plan of that name, with its tolerance as options. */
final class CalibrateCommand implements Command {
    private static final String PLAN = "calibrate";

    private final RoleCatalog roles = RoleCatalog.load();

    CalibrateCommand() {}

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description(
                        "The bench measures itself: on a channel with programmed delays, stalls, losses, duplicates and swapped"
                                + " pairs it shows what was programmed beside what it measured.");
        options().addTo(spec);
        MeasureOptions.addTo(spec);
        return spec;
    }

    @Override
    public String example() {
        return "./tickmark calibrate";
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
        return roles.find(PLAN);
    }

    private SettingOptions options() {
        return new SettingOptions().add(SettingDescriptor.of(role().settings()), Set.of("channel"));
    }
}
