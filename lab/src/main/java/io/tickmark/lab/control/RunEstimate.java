package io.tickmark.lab.control;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.Plan;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a run will take.
 *
 * @param trials how many
 * @param durationNs of all, noise floors and starts of processes included
 * @param folder where results go; empty where none could be made
 */
public record RunEstimate(int trials, long durationNs, Optional<Path> folder) {
    /**
     * Estimates a run and starts nothing.
     *
     * @param plan without a matrix
     * @param options how it would be run
     * @return what its run would take, with no folder
     * @throws UserError if its settings are wrong, or nothing of it can be done on this host
     */
    public static RunEstimate of(final Plan plan, final RunOptions options) {
        final PlanRun run = new PlanRun(plan, options, RunListener.SILENT, new Inbox());
        return new RunEstimate(run.trials(), run.durationNs(), Optional.empty());
    }
}
