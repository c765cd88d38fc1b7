package io.tickmark.lab.control;

import io.tickmark.kernel.record.Progress;
import io.tickmark.kernel.result.NoiseSummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.live.LiveTick;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.RoleInstance;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs several plans that are to be compared, taking turns: one repeat of each, in separate
 * processes, then the next of each, so that disturbances of the machine (it warms up, a neighbour
 * wakes) affect all of them alike. {@link #run} is called once, on any thread; {@link #stop} from
 * another.
 */
public final class InterleavedRun {
    private final List<Variant> variants;
    private final RunListener listener;
    private final RunEvents events = new RunEvents();

    /**
     * One of the plans.
     *
     * @param name of the run
     * @param plan to run
     * @param options of the run; with a separate folder for results
     */
    public record Variant(String name, Plan plan, RunOptions options) {}

    /**
     * How one of the plans ended.
     *
     * @param name of the run
     * @param outcome of it
     */
    public record End(String name, RunOutcome outcome) {}

    /**
     * A run of several plans.
     *
     * @param variants in the order in which they take turns
     * @param listener receives the progress
     */
    public InterleavedRun(final List<Variant> variants, final RunListener listener) {
        this.variants = List.copyOf(variants);
        this.listener = listener;
    }

    /** Asks the run to end soon, as {@link RunControl#stop} does. Any thread. */
    public void stop() {
        events.interrupt();
    }

    /**
     * Runs the plans.
     *
     * @return how each ended, in their order; all processes have ended
     * @throws UserError if a plan is wrong, cannot be run on this host or has a search, or a folder
     *     cannot be used: nothing was started
     */
    public List<End> run() {
        final List<PlanRun> open = new ArrayList<>();
        for (final Variant variant : variants) {
            open.add(
                    new PlanRun(
                            variant.plan().withFreshProcesses(),
                            variant.options(),
                            new NamedListener(variant.name(), listener),
                            events));
            if (variant.plan().tests().stream().anyMatch(test -> test.search() != null)) {
                throw UserError.usage(
                        "plan %s: a test of it is a search, which cannot take turns; take the search out, or run it alone."
                                .formatted(variant.plan().name()));
            }
        }
        open.forEach(PlanRun::open);
        final int trials = open.stream().mapToInt(PlanRun::trials).sum();
        listener.runStarted(
                new RunEstimate(
                        trials,
                        open.stream().mapToLong(PlanRun::durationNs).sum(),
                        variants.getFirst().options().out().map(Path::getParent)));
        runAll(open, trials);
        final List<End> ends = new ArrayList<>();
        for (int i = 0; i < open.size(); i++) {
            ends.add(new End(variants.get(i).name(), open.get(i).finish()));
        }
        return ends;
    }

    /** Tests run one after the other; those at the same place take turns. */
    private void runAll(final List<PlanRun> runs, final int trials) {
        final int places = runs.stream().mapToInt(run -> run.channelTests().size()).max().orElse(0);
        int number = 0;
        for (int i = 0; i < places; i++) {
            final int place = i;
            number =
                    takeTurns(
                            runs.stream()
                                    .filter(run -> place < run.channelTests().size())
                                    .map(run -> new Turn(run, run.channelTests().get(place)))
                                    .toList(),
                            events,
                            number,
                            trials);
        }
    }

    /** A test on a channel, of a plan that is being run. */
    record Turn(PlanRun run, PlanRun.ChannelTest test) {
        private int repeats() {
            return test.test().repeats();
        }
    }

    /**
     * Runs tests in turns, one repeat of each and then the next of each, until they are
     * interrupted. Single-threaded.
     *
     * @param turns in their order
     * @param events receives interruptions
     * @param before trials done so far
     * @param trials of the whole run
     * @return trials done now
     */
    static int takeTurns(
            final List<Turn> turns, final RunEvents events, final int before, final int trials) {
        final int most = turns.stream().mapToInt(Turn::repeats).max().orElse(0);
        int number = before;
        for (int repeat = 1; repeat <= most; repeat++) {
            for (final Turn turn : turns) {
                if (repeat <= turn.repeats() && !events.isInterrupted()) {
                    number++;
                    turn.run().runRepeat(turn.test(), repeat, number, trials);
                }
            }
        }
        return number;
    }

    /** Identifies the plan for a listener by the name of the test. */
    static final class NamedListener implements RunListener {
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
        public void progressed(
                final TrialKey trial, final RoleInstance role, final Progress progress) {
            listener.progressed(named(trial), role, progress);
        }

        @Override
        public void ticked(final LiveTick tick) {
            listener.ticked(tick.named(name + ": " + tick.test()));
        }

        @Override
        public void printed(final TrialKey trial, final String role, final String line) {
            listener.printed(named(trial), role, line);
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
}
