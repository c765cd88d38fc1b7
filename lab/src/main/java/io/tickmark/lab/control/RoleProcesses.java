package io.tickmark.lab.control;

import io.tickmark.kernel.result.NoiseSummary;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.RoleInstance;
import io.tickmark.lab.plan.TestPlan;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Role processes for the trials of one test on one channel: kept from trial to trial while they are
 * whole, started anew after a trial that lost one.
 */
final class RoleProcesses implements AutoCloseable {
    private final Supplier<RoleGroup> starter;
    private Optional<RoleGroup> running = Optional.empty();
    private Optional<NoiseSummary> noise = Optional.empty();

    RoleProcesses(final Supplier<RoleGroup> starter) {
        this.starter = starter;
    }

    /** Runs one trial; the noise floor after one is that before the next. */
    TrialEnd serve(
            final TrialKey key,
            final TestPlan test,
            final List<RoleInstance> cast,
            final TrialRun.Tools tools) {
        final boolean isFresh = running.isEmpty();
        if (isFresh) {
            try {
                running = Optional.of(starter.get());
            } catch (final UserError e) {
                return TrialEnd.notStarted(key, test, e);
            }
        }
        final TrialEnd end =
                new TrialRun(key, test, cast, running.get(), tools).run(noise, isFresh);
        noise = end.noiseAfter();
        if (!end.isGroupWhole()) {
            running.get().kill();
            running = Optional.empty();
            noise = Optional.empty();
        }
        return end;
    }

    /** Ends them in good order; the next trial starts new ones. */
    void end() {
        running.ifPresent(RoleGroup::close);
        running = Optional.empty();
    }

    /** Ends them; those of a trial that broke off by a defect as well. */
    @Override
    public void close() {
        end();
    }
}
