package io.tickmark.lab.control;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.Plan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs several plans that are to be compared, taking turns: one repeat of each, in processes of its
 * own, then the next of each. What the machine does meanwhile (it warms up, a neighbour wakes) hits
 * all of them alike. {@link #run} is called once, on any thread; {@link #stop} from another.
 */
public final class InterleavedRun {
    private final List<Arm> arms;
    private final RunListener listener;
    private final Inbox inbox = new Inbox();

    /**
     * One of the plans.
     *
     * @param name by which it is called
     * @param plan to run
     * @param options how; its folder for results is its own
     */
    public record Arm(String name, Plan plan, RunOptions options) {}

    /**
     * How one of the plans ended.
     *
     * @param name by which it is called
     * @param outcome of it
     */
    public record End(String name, RunOutcome outcome) {}

    /**
     * A run of several plans.
     *
     * @param arms in the order in which they take turns
     * @param listener hears how it goes
     */
    public InterleavedRun(final List<Arm> arms, final RunListener listener) {
        this.arms = List.copyOf(arms);
        this.listener = listener;
    }

    /** Asks the run to end soon, as {@link RunControl#stop} does. Any thread. */
    public void stop() {
        inbox.interrupt();
    }

    /**
     * Runs the plans.
     *
     * @return how each ended, in their order; all processes have ended
     * @throws UserError if a plan is wrong, cannot be done on this host or has a search, or a
     *     folder cannot be used: nothing was started
     */
    public List<End> run() {
        final List<RunArm> open = new ArrayList<>();
        for (final Arm arm : arms) {
            open.add(
                    new RunArm(
                            arm.plan().withFreshProcesses(),
                            arm.options(),
                            new NamedListener(arm.name(), listener),
                            inbox));
            if (arm.plan().tests().stream().anyMatch(test -> test.search() != null)) {
                throw UserError.usage(
                        "plan %s: a test of it is a search, which cannot take turns; take the search out, or run it alone."
                                .formatted(arm.plan().name()));
            }
        }
        open.forEach(RunArm::open);
        final int trials = open.stream().mapToInt(RunArm::trials).sum();
        listener.runStarted(
                new RunEstimate(
                        trials,
                        open.stream().mapToLong(RunArm::durationNs).sum(),
                        arms.getFirst().options().out().map(Path::getParent)));
        takeTurns(open, trials);
        final List<End> ends = new ArrayList<>();
        for (int i = 0; i < open.size(); i++) {
            ends.add(new End(arms.get(i).name(), open.get(i).finish()));
        }
        return ends;
    }

    /** Tests come one after the other; those at the same place take turns. */
    private void takeTurns(final List<RunArm> open, final int trials) {
        final int legs = open.stream().mapToInt(arm -> arm.legs().size()).max().orElse(0);
        int number = 0;
        for (int i = 0; i < legs; i++) {
            final int leg = i;
            number =
                    Turns.take(
                            open.stream()
                                    .filter(arm -> leg < arm.legs().size())
                                    .map(arm -> new Turns.Turn(arm, arm.legs().get(leg)))
                                    .toList(),
                            inbox,
                            number,
                            trials);
        }
    }
}
