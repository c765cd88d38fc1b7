package io.tickmark.lab.control;

import io.tickmark.kernel.record.Progress;
import io.tickmark.kernel.result.NoiseSummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.lab.live.LiveTick;
import io.tickmark.lab.plan.RoleInstance;
import java.util.List;
import java.util.function.Consumer;

/** Tells two listeners the same, one after the other. */
final class TwoListeners implements RunListener {
    private final List<RunListener> both;

    TwoListeners(final RunListener first, final RunListener second) {
        both = List.of(first, second);
    }

    private void tell(final Consumer<RunListener> said) {
        both.forEach(said);
    }

    @Override
    public void runStarted(final RunEstimate estimate) {
        tell(each -> each.runStarted(estimate));
    }

    @Override
    public void trialStarted(final TrialKey trial) {
        tell(each -> each.trialStarted(trial));
    }

    @Override
    public void phaseStarted(final TrialKey trial, final TrialPhase phase) {
        tell(each -> each.phaseStarted(trial, phase));
    }

    @Override
    public void noiseMeasured(final TrialKey trial, final NoiseSummary noise) {
        tell(each -> each.noiseMeasured(trial, noise));
    }

    @Override
    public void progressed(final TrialKey trial, final RoleInstance role, final Progress progress) {
        tell(each -> each.progressed(trial, role, progress));
    }

    @Override
    public void ticked(final LiveTick tick) {
        tell(each -> each.ticked(tick));
    }

    @Override
    public void told(final TrialKey trial, final String role, final String line) {
        tell(each -> each.told(trial, role, line));
    }

    @Override
    public void rowFinished(final TrialResult row) {
        tell(each -> each.rowFinished(row));
    }

    @Override
    public void warned(final String sentence) {
        tell(each -> each.warned(sentence));
    }
}
