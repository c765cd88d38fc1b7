package io.tickmark.lab.control;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.Plan;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The estimate of a run.
 *
 * @param trials number of trials
 * @param durationNs of all, including noise floors and starts of processes
 * @param folder of the results; empty where none could be created
 * @param limit where trials are left out that would not end in time
 */
public record RunEstimate(
        int trials, long durationNs, Optional<Path> folder, Optional<Limit> limit) {
    /**
     * What trials are left out for.
     *
     * @param timeNs for all of them
     * @param certainTrials first repeats that are never left out, whatever time they take
     */
    public record Limit(long timeNs, int certainTrials) {}

    /**
     * A run of which nothing is left out.
     *
     * @param trials number of trials
     * @param durationNs of all
     * @param folder of the results
     */
    public RunEstimate(final int trials, final long durationNs, final Optional<Path> folder) {
        this(trials, durationNs, folder, Optional.empty());
    }

    /**
     * Estimates a run and starts nothing.
     *
     * @param plan without a matrix
     * @param options how it would be run
     * @return the estimate of its run, without a folder
     * @throws UserError if its settings are wrong, or none of its tests can be run on this host
     */
    public static RunEstimate of(final Plan plan, final RunOptions options) {
        final PlanRun run = new PlanRun(plan, options, RunListener.SILENT, new RunEvents());
        return new RunEstimate(run.trials(), run.durationNs(), Optional.empty());
    }
}
