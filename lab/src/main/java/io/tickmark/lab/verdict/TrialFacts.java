package io.tickmark.lab.verdict;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.result.NoiseSummary;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.lab.plan.Criteria;
import java.util.List;

/**
 * What holds for all steps of a trial.
 *
 * @param test name of the test
 * @param workload how it is measured
 * @param channel as the plan has it
 * @param repeat from 1
 * @param hotThreads of all roles
 * @param cores they may use
 * @param noiseBefore null where it was not measured
 * @param noiseAfter null where it was not measured
 * @param criteria of the verdict
 * @param isSearched whether it is a trial of a search, which counts a rate as bad whatever the
 *     reason: a noisy machine is no excuse
 * @param voids why the trial is void, sentences; empty where it is not
 * @param labels besides those derived from figures
 * @param roles what each reported
 */
public record TrialFacts(
        String test,
        String workload,
        String channel,
        int repeat,
        int hotThreads,
        int cores,
        NoiseSummary noiseBefore,
        NoiseSummary noiseAfter,
        Criteria criteria,
        boolean isSearched,
        List<String> voids,
        List<String> labels,
        List<RoleSummary> roles) {
    /** Copies the lists. */
    public TrialFacts {
        voids = List.copyOf(voids);
        labels = List.copyOf(labels);
        roles = List.copyOf(roles);
    }

    /**
     * Of one role that no plan started: the first trial, by the usual criteria, without a noise
     * floor.
     *
     * @param test name of the test
     * @param workload how it is measured
     * @param channel that it uses
     * @param hotThreads of the role
     * @param voids why it is void, sentences; empty where it is not
     * @param role what it reported
     * @return the facts
     */
    public static TrialFacts ofOneRole(
            final String test,
            final String workload,
            final String channel,
            final int hotThreads,
            final List<String> voids,
            final RoleSummary role) {
        return new TrialFacts(
                test,
                workload,
                channel,
                1,
                hotThreads,
                Affinity.allowedCores().size(),
                null,
                null,
                Criteria.DEFAULT,
                false,
                voids,
                List.of(),
                List.of(role));
    }
}
