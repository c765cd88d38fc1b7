package io.tickmark.cli.run;

import io.tickmark.cli.option.MeasureOptions;
import io.tickmark.cli.output.Terminal;
import io.tickmark.kubernetes.KubernetesHosts;
import io.tickmark.lab.control.RunOptions;
import io.tickmark.lab.hosts.Hosts;
import io.tickmark.lab.place.Placements;
import io.tickmark.lab.plan.HostsPlan;
import io.tickmark.lab.plan.KubernetesPlan;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** The machines that a command's options name, prepared: this one, hosts or pods. */
public final class Machines implements AutoCloseable {
    private static final Path RESULTS = Path.of("results");

    private final RunOptions runs;
    private final Optional<Placements> others;

    private Machines(final RunOptions runs, final Optional<Placements> others) {
        this.runs = runs;
        this.others = others;
    }

    /**
     * Prepares them.
     *
     * @param options of the command
     * @param terminal receives progress messages
     * @return to be closed when all runs are done
     * @throws io.tickmark.kernel.settings.UserError if one of them cannot be used
     */
    public static Machines open(final MeasureOptions options, final Terminal terminal) {
        final RunOptions here =
                here(
                        options.out().isEmpty()
                                ? Optional.empty()
                                : Optional.of(Path.of(options.out())));
        if (options.elsewhere().isEmpty()) {
            return new Machines(here, Optional.empty());
        }
        final Consumer<String> progress =
                sentence -> {
                    if (!options.quiet() && !options.json()) {
                        terminal.err().println(sentence);
                    }
                };
        final Placements others =
                options.hosts().isEmpty()
                        ? KubernetesHosts.open(
                                KubernetesPlan.read(Path.of(options.kubernetes())), progress)
                        : Hosts.open(HostsPlan.read(Path.of(options.hosts())), progress);
        return new Machines(here.on(others), Optional.of(others));
    }

    /**
     * Options of runs on this machine.
     *
     * @param out folder of the run; empty for a new one
     * @return options
     */
    public static RunOptions here(final Optional<Path> out) {
        final Installation installation = new Installation();
        return RunOptions.local(
                RESULTS,
                out,
                installation::modules,
                Installation.version(),
                installation.libraries());
    }

    /**
     * Options of runs on them.
     *
     * @return options
     */
    public RunOptions runs() {
        return runs;
    }

    @Override
    public void close() {
        others.ifPresent(Placements::close);
    }
}
