package io.tickmark.lab.control;

import java.util.List;

/**
 * Tests on channels that take turns: one repeat of each, in separate processes, then the next of
 * each, so that disturbances of the machine affect all of them alike. Single-threaded.
 */
final class Turns {
    /** A test on a channel, of a plan that is being run. */
    record Turn(PlanRun run, PlanRun.ChannelTest test) {
        private int repeats() {
            return test.test().repeats();
        }
    }

    private Turns() {}

    /**
     * Runs the turns until they are interrupted.
     *
     * @param turns in their order
     * @param events receives interruptions
     * @param before trials done so far
     * @param trials of the whole run
     * @return trials done now
     */
    static int take(
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
}
