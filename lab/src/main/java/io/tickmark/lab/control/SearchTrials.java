package io.tickmark.lab.control;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.Casting;
import io.tickmark.lab.plan.RoleInstance;
import io.tickmark.lab.plan.TestPlan;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The trials of one search: roles of warm processes, each trial with its rate and length. */
final class SearchTrials implements SearchRun.Trials, AutoCloseable {
    private final Supplier<RoleProcesses> starter;
    private final Casting casting;
    private final String channel;
    private final TrialRun.Tools tools;
    private final Duration noise;
    private final int trialsBefore;
    private final int trials;
    private RoleProcesses processes;
    private int served;

    /**
     * Trials on a channel; {@code tools} watch no noise floor, trials in new processes do for
     * {@code noise}.
     */
    SearchTrials(
            final Supplier<RoleProcesses> starter,
            final Casting casting,
            final String channel,
            final TrialRun.Tools tools,
            final Duration noise,
            final int trialsBefore,
            final int trials) {
        this.starter = starter;
        this.casting = casting;
        this.channel = channel;
        this.tools = tools;
        this.noise = noise;
        this.trialsBefore = trialsBefore;
        this.trials = trials;
        processes = starter.get();
    }

    @Override
    public Optional<TrialEnd> serve(final TestPlan changed, final boolean isInNewProcesses) {
        if (tools.inbox().isInterrupted()) {
            return Optional.empty();
        }
        if (isInNewProcesses) {
            processes.close();
            processes = starter.get();
        }
        served++;
        final List<RoleInstance> cast;
        try {
            cast = casting.cast(changed, channel);
        } catch (final UserError e) { // a rate that a role refuses
            return Optional.of(TrialEnd.notStarted(key(changed, List.of()), changed, e));
        }
        final TrialKey key = key(changed, cast);
        tools.listener().trialStarted(key);
        final TrialRun.Tools used =
                new TrialRun.Tools(
                        tools.inbox(),
                        tools.clock(),
                        tools.listener(),
                        isInNewProcesses ? noise : tools.noise(),
                        tools.connectTimeout(),
                        tools.wallClock());
        return Optional.of(processes.serve(key, changed, cast, used));
    }

    private TrialKey key(final TestPlan changed, final List<RoleInstance> cast) {
        final int number = trialsBefore + served;
        return new TrialKey(
                changed.name(),
                changed.workload(),
                channel,
                served,
                number,
                Math.max(trials, number),
                cast.stream().mapToLong(RoleInstance::expectedDurationNs).max().orElse(0));
    }

    @Override
    public void close() {
        processes.close();
    }
}
