package io.tickmark.lab.control;

import io.tickmark.lab.place.ClassPaths;
import io.tickmark.lab.place.Placements;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.lab.plan.TestPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.SystemEpochNanoClock;

/**
 * How a plan is run.
 *
 * @param results folder of all runs
 * @param out folder of only this run; empty for a new one in {@code results}
 * @param catalog the roles there are
 * @param placements where role processes start
 * @param classPaths of role processes
 * @param engines modules that a channel's scheme needs, by artifact name; none for schemes of
 *     {@code transport} itself
 * @param version of tickmark
 * @param libraries versions of engines for the environment record
 * @param connectTimeout how long roles may look for each other
 * @param wallClock watched for steps while a trial measures
 */
public record RunOptions(
        Path results,
        Optional<Path> out,
        RoleCatalog catalog,
        Placements placements,
        ClassPaths classPaths,
        Function<String, List<String>> engines,
        String version,
        Map<String, String> libraries,
        Duration connectTimeout,
        EpochNanoClock wallClock) {
    /** How long roles may look for each other by default. */
    public static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(10);

    /**
     * The same on other machines.
     *
     * @param elsewhere where role processes start
     * @return options
     */
    public RunOptions on(final Placements elsewhere) {
        return new RunOptions(
                results,
                out,
                catalog,
                elsewhere,
                classPaths,
                engines,
                version,
                libraries,
                connectTimeout,
                wallClock);
    }

    /**
     * Runs here, with the roles on the class path.
     *
     * @param results folder of all runs
     * @param out folder of only this run; empty for a new one in {@code results}
     * @param engines modules that a channel's scheme needs
     * @param version of tickmark
     * @param libraries versions of engines for the environment record
     * @return options
     */
    public static RunOptions local(
            final Path results,
            final Optional<Path> out,
            final Function<String, List<String>> engines,
            final String version,
            final Map<String, String> libraries) {
        return new RunOptions(
                results,
                out,
                RoleCatalog.load(),
                Placements.here(),
                new ClassPaths(),
                engines,
                version,
                libraries,
                DEFAULT_CONNECT_TIMEOUT,
                SystemEpochNanoClock.INSTANCE);
    }

    /**
     * The same with role processes of another build.
     *
     * @param build its class paths
     * @param otherVersion of it
     * @return options
     */
    public RunOptions withBuild(final ClassPaths build, final String otherVersion) {
        return new RunOptions(
                results,
                out,
                catalog,
                placements,
                build,
                engines,
                otherVersion,
                libraries,
                connectTimeout,
                wallClock);
    }

    /**
     * The modules that a channel needs in addition to those of the workload.
     *
     * @param channel as in the plan; empty where the test has none
     * @return names of artifacts
     */
    List<String> modules(final String channel) {
        final int colon = channel.indexOf(':');
        return colon < 0 ? List.of() : engines.apply(channel.substring(0, colon));
    }

    /**
     * Checks before anything starts that the build has all modules that a plan needs.
     *
     * @param plan to be run
     * @throws io.tickmark.kernel.settings.UserError if it lacks one
     */
    public void checkModules(final Plan plan) {
        for (final TestPlan test : plan.tests()) {
            final List<Class<?>> classes = new ArrayList<>();
            test.roles().forEach(role -> classes.add(catalog.find(role.role()).getClass()));
            test.channels().forEach(channel -> classPaths.of(classes, modules(channel)));
        }
    }

    /**
     * The same with a separate folder.
     *
     * @param folder new or empty
     * @return options
     */
    public RunOptions into(final Path folder) {
        return new RunOptions(
                results,
                Optional.of(folder),
                catalog,
                placements,
                classPaths,
                engines,
                version,
                libraries,
                connectTimeout,
                wallClock);
    }
}
