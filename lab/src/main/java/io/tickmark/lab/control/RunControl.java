package io.tickmark.lab.control;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.Plan;

/**
 * Runs a plan: every test on each of its channels, each repeat a trial, one after the other. {@link
 * #run} is called once, on any thread; {@link #stop} from another.
 */
public final class RunControl {
    private final Plan plan;
    private final RunOptions options;
    private final RunListener listener;
    private final RunEvents events = new RunEvents();

    /**
     * A run of a plan.
     *
     * @param plan to run
     * @param options of the run
     * @param listener receives its progress
     */
    public RunControl(final Plan plan, final RunOptions options, final RunListener listener) {
        this.plan = plan;
        this.options = options;
        this.listener = listener;
    }

    /**
     * Asks the run to end soon: roles report what they have, all processes end, and {@link #run}
     * returns with what was measured, marked void. Any thread.
     */
    public void stop() {
        events.interrupt();
    }

    /**
     * Runs the plan.
     *
     * @return what was measured, however it ended; all processes have ended
     * @throws UserError if the plan's settings are wrong, none of its tests can be run on this
     *     host, or the folder for results cannot be used: nothing was started
     */
    public RunOutcome run() {
        final PlanRun run = begin(plan);
        int number = 0;
        for (final PlanRun.ChannelTest channelTest : run.channelTests()) {
            if (!events.isInterrupted()) {
                run.run(channelTest, number, run.trials());
            }
            number += channelTest.trials();
        }
        return run.finish();
    }

    /**
     * Runs the plan's tests in turns, one repeat of each and then the next of each, in separate
     * processes; for tests that are compared with each other and are not searches.
     *
     * @return what was measured, however it ended; all processes have ended
     * @throws UserError as {@link #run}
     */
    public RunOutcome runInTurns() {
        final PlanRun run = begin(plan.withFreshProcesses());
        Turns.take(
                run.channelTests().stream()
                        .map(channelTest -> new Turns.Turn(run, channelTest))
                        .toList(),
                events,
                0,
                run.trials());
        return run.finish();
    }

    private PlanRun begin(final Plan begun) {
        final PlanRun run = new PlanRun(begun, options, listener, events);
        run.open();
        listener.runStarted(new RunEstimate(run.trials(), run.durationNs(), run.folder()));
        return run;
    }
}
