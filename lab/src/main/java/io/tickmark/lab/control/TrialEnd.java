package io.tickmark.lab.control;

import io.tickmark.kernel.result.NoiseSummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.verdict.TrialFacts;
import io.tickmark.lab.verdict.TrialMerge;
import java.util.List;
import java.util.Optional;

/**
 * How a trial ended.
 *
 * @param rows one for each step
 * @param noiseAfter noise floor after it; empty where it was not measured
 * @param isGroupWhole whether its processes can serve another trial
 * @param userError set where it is void for a reason that the user can correct
 */
record TrialEnd(
        List<TrialResult> rows,
        Optional<NoiseSummary> noiseAfter,
        boolean isGroupWhole,
        Optional<UserError.Kind> userError) {
    /** The same with rows that say more. */
    TrialEnd with(final List<TrialResult> examined) {
        return new TrialEnd(examined, noiseAfter, isGroupWhole, userError);
    }

    /** The end of a trial whose processes could not be started. */
    static TrialEnd notStarted(final TrialKey key, final TestPlan test, final UserError error) {
        final TrialFacts facts =
                new TrialFacts(
                        test.name(),
                        test.workload(),
                        key.channel(),
                        key.repeat(),
                        0,
                        0,
                        null,
                        null,
                        test.criteria(),
                        test.search() != null,
                        List.of(error.getMessage()),
                        List.of(),
                        List.of());
        return new TrialEnd(
                new TrialMerge().rows(facts), Optional.empty(), false, Optional.of(error.kind()));
    }
}
