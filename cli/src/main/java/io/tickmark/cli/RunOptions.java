package io.tickmark.cli;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.TestPlan;
import java.time.Duration;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * Options of every command that measures.
 *
 * @param out result folder, empty for a new one below {@code results}
 * @param json whether {@code result.json} goes to standard output, and nothing else
 * @param quiet whether only the verdict is said
 * @param repeats of each test; 0 keeps those of the plan
 * @param noise length of the noise floor
 * @param noNoise whether the noise floor is left out
 */
record RunOptions(
        @Setting(
                        help =
                                "Result folder, new or empty; a new one below ./results where left out.",
                        label = "DIR")
                String out,
        @Setting(help = "Print result.json to standard output, and nothing else.") boolean json,
        @Setting(help = "Print the verdict only.") boolean quiet,
        @Setting(
                        help = "How often each test is done; 0 keeps what the plan says.",
                        byDefault = "0",
                        min = 0,
                        max = 10_000)
                int repeats,
        @Setting(
                        help =
                                "How long the noise of the cores is watched before and after each trial; 0 for not at all.",
                        byDefault = "1s",
                        max = 600e9)
                Duration noise,
        @Setting(help = "The same as --noise 0.") boolean noNoise) {

    private static SettingOptions options() {
        return new SettingOptions().add(SettingDescriptor.of(RunOptions.class), Set.of());
    }

    static void addTo(final CommandSpec spec) {
        options().addTo(spec);
    }

    static RunOptions of(final ParseResult parsed) {
        final SettingOptions options = options();
        return Settings.read(RunOptions.class, options.values(parsed), options.naming(parsed));
    }

    /**
     * The plan with what these options change.
     *
     * @param plan as read or composed
     * @param parsed command line, to tell what was given
     * @return the plan to run
     */
    Plan applyTo(final Plan plan, final ParseResult parsed) {
        Plan changed = plan;
        if (noNoise) {
            changed = changed.withNoise(Duration.ZERO);
        } else if (parsed.hasMatchedOption("--noise")) {
            changed = changed.withNoise(noise);
        }
        if (repeats > 0) {
            changed =
                    new Plan(
                            changed.name(),
                            changed.description(),
                            changed.noise(),
                            changed.tests().stream().map(this::repeated).toList());
        }
        return changed;
    }

    private TestPlan repeated(final TestPlan test) {
        return new TestPlan(
                test.name(),
                test.workload(),
                test.channels(),
                repeats,
                test.settings(),
                test.roles(),
                test.criteria(),
                test.faults(),
                test.timeout());
    }
}
