package io.tickmark.lab.control;

import io.tickmark.lab.search.SearchGoal;

/** Guesses at what a search takes, for progress: what searches from a good seed take. */
final class SearchEstimate {
    private static final int COARSE = 12;
    private static final int FULL = 8;

    private SearchEstimate() {}

    static int trials(final SearchGoal goal) {
        return 1 + COARSE + FULL + goal.confirmations() + soaks(goal);
    }

    /** The time measured. */
    static long measuredNs(final SearchGoal goal) {
        final long fullNs = goal.finalTrial().toNanos();
        return COARSE * goal.initialTrial().toNanos()
                + (FULL + goal.confirmations()) * fullNs
                + soaks(goal) * goal.soak().toNanos();
    }

    /** Starts of processes: one for the search, and one for each trial in new ones. */
    static int starts(final SearchGoal goal) {
        return 1 + goal.confirmations() + soaks(goal);
    }

    private static int soaks(final SearchGoal goal) {
        return goal.soak().isZero() ? 0 : 1;
    }
}
