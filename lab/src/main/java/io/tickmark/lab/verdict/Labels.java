package io.tickmark.lab.verdict;

/** Words that qualify the figures of a row. */
public final class Labels {
    /** The next message waited for the echo of the one before: round trips only. */
    public static final String CLOSED_LOOP = "closed-loop";

    /** No rate was asked for. */
    public static final String AS_FAST_AS_POSSIBLE = "as-fast-as-possible";

    /** A pause after each send set the rate, which is not held against one asked for. */
    public static final String PACED_BY_SLEEPING = "paced-by-sleeping";

    /** A rate was asked for and not held: the latency is that of a queue, and no headline. */
    public static final String SATURATED = "saturated";

    /** The noise floor may explain the tail ({@link NoiseRule}). */
    public static final String NOISY = "noisy";

    /** More hot threads than cores. */
    public static final String OVERSUBSCRIBED = "oversubscribed";

    /** A role was killed as planned: of it counts what it had told by then. */
    public static final String ROLE_KILLED = "role-killed";

    /** The wall clock stepped during the trial. */
    public static final String CLOCK_STEPPED = "clock-stepped";

    private Labels() {}
}
