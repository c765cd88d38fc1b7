package io.tickmark.lab.control;

import io.tickmark.kernel.record.Progress;
import io.tickmark.kernel.result.NoiseSummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.lab.live.LiveTick;
import io.tickmark.lab.plan.RoleInstance;

/** Tells a listener which of several plans it hears of, by the name of the test. */
final class NamedListener implements RunListener {
    private final String name;
    private final RunListener listener;

    NamedListener(final String name, final RunListener listener) {
        this.name = name;
        this.listener = listener;
    }

    private TrialKey named(final TrialKey key) {
        return new TrialKey(
                name + ": " + key.test(),
                key.workload(),
                key.channel(),
                key.repeat(),
                key.number(),
                key.of(),
                key.expectedNs());
    }

    @Override
    public void trialStarted(final TrialKey trial) {
        listener.trialStarted(named(trial));
    }

    @Override
    public void phaseStarted(final TrialKey trial, final TrialPhase phase) {
        listener.phaseStarted(named(trial), phase);
    }

    @Override
    public void noiseMeasured(final TrialKey trial, final NoiseSummary noise) {
        listener.noiseMeasured(named(trial), noise);
    }

    @Override
    public void progressed(final TrialKey trial, final RoleInstance role, final Progress progress) {
        listener.progressed(named(trial), role, progress);
    }

    @Override
    public void ticked(final LiveTick tick) {
        listener.ticked(tick.named(name + ": " + tick.test()));
    }

    @Override
    public void told(final TrialKey trial, final String role, final String line) {
        listener.told(named(trial), role, line);
    }

    @Override
    public void rowFinished(final TrialResult row) {
        listener.rowFinished(row.named(name + ": " + row.test()));
    }

    @Override
    public void warned(final String sentence) {
        listener.warned(name + ": " + sentence);
    }
}
