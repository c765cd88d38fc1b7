package io.tickmark.lab.control;

import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.Plan;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Runs a plan: every test on each of its channels, each repeat a trial, one after the other. {@link
 * #run} is called once, on any thread; {@link #stop} from another.
 */
public final class RunControl {
    /** Longer than any run, and far from the end of what a clock counts. */
    private static final Duration FOR_EVER = Duration.ofDays(3_650);

    private final Plan plan;
    private final RunOptions options;
    private final RunListener listener;
    private final NanoClock clock;
    private final RunEvents events = new RunEvents();

    /**
     * A run of a plan.
     *
     * @param plan to run
     * @param options of the run
     * @param listener receives its progress
     */
    public RunControl(final Plan plan, final RunOptions options, final RunListener listener) {
        this(plan, options, listener, SystemNanoClock.INSTANCE);
    }

    /** The same by another clock, which says for which trials there is time. */
    RunControl(
            final Plan plan,
            final RunOptions options,
            final RunListener listener,
            final NanoClock clock) {
        this.plan = plan;
        this.options = options;
        this.listener = listener;
        this.clock = clock;
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
        return runWithin(FOR_EVER);
    }

    /**
     * Runs the plan as {@link #run} does, but leaves out repeats that would not end in time. Each
     * test has an equal share of the time on each channel, and its first repeat in any case.
     *
     * @param time for all trials
     * @return what was measured, however it ended; all processes have ended
     * @throws UserError as {@link #run}
     */
    public RunOutcome runWithin(final Duration time) {
        final long startNs = clock.nanoTime();
        final PlanRun run = new PlanRun(plan, options, listener, events, clock);
        run.open();
        listener.runStarted(
                new RunEstimate(
                        run.trials(),
                        run.durationNs(),
                        run.folder(),
                        time.equals(FOR_EVER)
                                ? Optional.empty()
                                : Optional.of(
                                        new RunEstimate.Limit(
                                                time.toNanos(), run.channelTests().size()))));
        final long shareNs = time.toNanos() / Math.max(1, run.channelTests().size());
        int number = 0;
        long untilNs = startNs;
        for (final PlanRun.ChannelTest channelTest : run.channelTests()) {
            untilNs += shareNs;
            if (!events.isInterrupted()) {
                run.run(channelTest, number, run.trials(), untilNs);
            }
            number += channelTest.trials();
        }
        return run.finish();
    }

    /**
     * Runs single tests of the plan, each of which is chosen by what those before it have shown,
     * and reports them in the plan's order.
     *
     * @param next the test's name, from all rows so far; one that was run before is repeated; empty
     *     ends the run
     * @param most tests that are run, repetitions included
     * @param time for all of them; a test that would not end in time ends the run, unless it is the
     *     first
     * @return what was measured, however it ended; all processes have ended
     * @throws UserError as {@link #run}
     */
    public RunOutcome runChosen(
            final Function<List<TrialResult>, Optional<String>> next,
            final int most,
            final Duration time) {
        final long untilNs = clock.nanoTime() + time.toNanos();
        final PlanRun run = new PlanRun(plan, options, listener, events, clock);
        run.open();
        listener.runStarted(
                new RunEstimate(
                        most,
                        run.durationNs() * most / run.trials(),
                        run.folder(),
                        Optional.of(new RunEstimate.Limit(time.toNanos(), 1))));
        for (int done = 0; done < most && !events.isInterrupted(); done++) {
            final Optional<PlanRun.ChannelTest> chosen =
                    next.apply(run.rows()).map(run::channelTest);
            if (chosen.isEmpty() || done > 0 && !run.isTimeFor(chosen.get(), untilNs)) {
                break;
            }
            final int repeats = run.repeatsOf(chosen.get());
            if (repeats == 0) {
                run.run(chosen.get(), done, most, untilNs);
            } else {
                run.runRepeat(chosen.get(), repeats + 1, done + 1, most);
            }
        }
        run.sort();
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
        final PlanRun run = new PlanRun(plan.withFreshProcesses(), options, listener, events);
        run.open();
        listener.runStarted(new RunEstimate(run.trials(), run.durationNs(), run.folder()));
        InterleavedRun.takeTurns(
                run.channelTests().stream()
                        .map(channelTest -> new InterleavedRun.Turn(run, channelTest))
                        .toList(),
                events,
                0,
                run.trials());
        return run.finish();
    }
}
