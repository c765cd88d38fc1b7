package io.tickmark.cli.command;

import io.tickmark.cli.option.MeasureOptions;
import io.tickmark.cli.option.SettingOptions;
import io.tickmark.cli.option.UmPerfDialect;
import io.tickmark.cli.output.Terminal;
import io.tickmark.cli.run.Measurement;
import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.lab.plan.RolePlan;
import io.tickmark.lab.plan.TestPlan;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code jitter}: a loop on each core that reports when it did not run. */
final class JitterCommand implements Command {
    private static final String JITTER = "jitter";
    private static final String CORE = "core";

    private final RoleFactory<?> role = RoleCatalog.load().find(JITTER);

    JitterCommand() {}

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description(
                        "Reads the clock in a loop, on all cores at once or on one, and reports how often and for how long "
                                + "the loop stalled: no engine on this machine can do better."
                                + UmPerfDialect.JITTER.mention());
        options().addTo(spec);
        MeasureOptions.addTo(spec);
        return spec;
    }

    @Override
    public String example() {
        return "./tickmark jitter -a 1 -j 200000000 -s 150";
    }

    @Override
    public int run(final ParseResult arguments, final Terminal terminal) throws Exception {
        final Map<String, Object> values = options().values(arguments);
        Settings.read(role.settings(), values, options().naming(arguments));
        final MeasureOptions options = MeasureOptions.of(arguments);
        options.checkHere(JITTER, "it watches the cores of this machine only");
        if (values.get(CORE) instanceof String core && core.matches("\\d+")) {
            Affinity.checkReachable("--core", Integer.parseInt(core));
        }
        final TestPlan.Builder test = TestPlan.builder(JITTER, JITTER);
        values.forEach(test::setting);
        final List<Integer> cores =
                values.containsKey(CORE) ? List.of(-1) : Affinity.coresForHotThreads();
        test.role(
                new RolePlan(
                        JITTER, cores.size(), null, pinned(cores), null, null, null, null, null));
        final Plan plan =
                Plan.named(JITTER)
                        .describedAs("How often and how long the cores of this machine stalled.")
                        .withNoise(Duration.ZERO)
                        .with(test.build());
        return new Measurement(terminal, options).run(options.applyTo(plan, arguments));
    }

    private static List<Integer> pinned(final List<Integer> cores) {
        return cores.contains(-1) ? null : cores;
    }

    private SettingOptions options() {
        return new SettingOptions(UmPerfDialect.JITTER)
                .add(SettingDescriptor.of(role.settings()), Set.of());
    }
}
