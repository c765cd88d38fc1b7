package io.tickmark.cli.option;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.Plan;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * Options of every command that measures.
 *
 * @param out result folder, empty for a new one below {@code results}
 * @param json whether only {@code result.json} is written to standard output
 * @param quiet whether only the verdict is printed
 * @param verbose whether all tables and the lines of roles are shown
 * @param repeats of each test; 0 keeps those of the plan
 * @param history where the run is entered; empty for the default
 * @param noHistory whether it is not entered
 * @param fresh whether each repeat has new processes
 * @param noise length of the noise floor
 * @param noNoise whether the noise floor is skipped
 * @param explain whether the kernel is queried for what ran on the cores instead
 * @param metrics where metrics are served; empty for nowhere
 * @param otlp collector that metrics are sent to; empty for none
 * @param hosts file that lists the machines to run on; empty for this one
 * @param kubernetes file that lists the pods to run on; empty for this machine
 */
public record MeasureOptions(
        @Setting(
                        help = "Result folder, new or empty (default: a new one below ./results).",
                        label = "DIR")
                String out,
        @Setting(help = "Print result.json to standard output, and nothing else.") boolean json,
        @Setting(help = "No progress and no tables; the verdict only.") boolean quiet,
        @Setting(
                        help =
                                "Print all tables of a run, which otherwise are in summary.txt only, and what the roles say;"
                                        + " show the stack traces of errors.")
                boolean verbose,
        @Setting(
                        help = "How often each test is repeated; 0 keeps what the plan says.",
                        byDefault = "0",
                        min = 0,
                        max = 10_000)
                int repeats,
        @Setting(
                        help =
                                "File or URL of the history that the run is recorded in (default: results/history.db).",
                        label = "PLACE")
                String history,
        @Setting(help = "Do not record the run in the history.") boolean noHistory,
        @Setting(
                        help =
                                "New processes for each repeat, so that differences between starts show in the spread"
                                        + " of the repeats.")
                boolean fresh,
        @Setting(
                        help =
                                "How long the noise of the cores is measured before and after each trial; 0 for not at all. "
                                        + "Without this option a plan keeps its own.",
                        byDefault = "1s",
                        max = 600e9)
                Duration noise,
        @Setting(help = "The same as --noise 0.") boolean noNoise,
        @Setting(
                        help =
                                "Ask the kernel what ran on the cores instead of the measuring threads, and which interrupts"
                                        + " occurred; needs root or CAP_PERFMON.")
                boolean explain,
        @Setting(
                        help =
                                "Serve metrics of the run for Prometheus, on this port of 127.0.0.1 or on HOST:PORT; 0:"
                                        + " any port.",
                        label = "PORT")
                String metrics,
        @Setting(
                        help =
                                "Send metrics of the run to this collector of OpenTelemetry once a second, by OTLP over"
                                        + " HTTP, for example http://127.0.0.1:4318.",
                        label = "URL")
                String otlp,
        @Setting(
                        help =
                                "Run the roles on the hosts that this file lists, by ssh (default: on this machine).",
                        label = "FILE")
                String hosts,
        @Setting(
                        help =
                                "Run the roles in pods that this file lists, on Kubernetes (default: on this machine).",
                        label = "FILE")
                String kubernetes) {

    private static SettingOptions options() {
        return new SettingOptions().add(SettingDescriptor.of(MeasureOptions.class), Set.of());
    }

    /**
     * The option that names other machines.
     *
     * @return as typed; empty where roles run on this machine
     */
    public String elsewhere() {
        if (!hosts.isEmpty() && !kubernetes.isEmpty()) {
            throw UserError.usage(
                    "--hosts and --kubernetes exclude each other; name the machines of a run in one file.");
        }
        if (hosts.isEmpty()) {
            return kubernetes.isEmpty() ? "" : "--kubernetes";
        }
        return "--hosts";
    }

    /**
     * Refuses other machines, for commands about the cores of this one.
     *
     * @param command to be run there instead
     * @param reason why not from here
     * @throws UserError if an option names other machines
     */
    public void checkHere(final String command, final String reason) {
        if (!elsewhere().isEmpty()) {
            throw UserError.usage(
                    "%s: %s; leave it out, and run '%s' there."
                            .formatted(elsewhere(), reason, command));
        }
    }

    /**
     * Gives a command these options.
     *
     * @param spec of the command
     */
    public static void addTo(final CommandSpec spec) {
        options().addTo(spec);
    }

    /**
     * What was typed.
     *
     * @param parsed command line
     * @return the options
     * @throws UserError if one of them has no effect as typed
     */
    public static MeasureOptions of(final ParseResult parsed) {
        final SettingOptions options = options();
        final Map<String, Object> values = options.values(parsed);
        if ("".equals(values.get("out"))) { // a script's variable that is not set, mostly
            throw UserError.usage("--out is empty; name a folder, or leave it out.");
        }
        return Settings.read(MeasureOptions.class, values, options.naming(parsed));
    }

    /**
     * The plan with what these options change.
     *
     * @param plan as read or composed
     * @param parsed command line, to see what was given
     * @return the plan to run
     */
    public Plan applyTo(final Plan plan, final ParseResult parsed) {
        Plan changed = plan;
        if (noNoise) {
            changed = changed.withNoise(Duration.ZERO);
        } else if (parsed.hasMatchedOption("--noise")) {
            changed = changed.withNoise(noise);
        }
        if (fresh) {
            changed = changed.withFreshProcesses();
        }
        if (explain) {
            changed = changed.explained();
        }
        return repeats > 0 ? PlanChanges.withRepeats(changed, repeats) : changed;
    }
}
