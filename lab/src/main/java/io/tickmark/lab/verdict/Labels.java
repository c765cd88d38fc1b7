package io.tickmark.lab.verdict;

import io.tickmark.kernel.result.TailSummary;
import java.util.List;
import java.util.stream.Stream;

/** Words that qualify the figures of a row. */
public final class Labels {
    /** The next message waited for the echo of the one before: round trips only. */
    public static final String CLOSED_LOOP = "closed-loop";

    /** No rate was requested. */
    public static final String AS_FAST_AS_POSSIBLE = "as-fast-as-possible";

    /** A pause after each send set the rate, which is not compared with a requested one. */
    public static final String PACED_BY_SLEEPING = "paced-by-sleeping";

    /** A rate was requested and not held: the latency is that of a queue, and not a headline. */
    public static final String SATURATED = "saturated";

    /** The noise floor may explain the tail ({@link NoiseRule}). */
    public static final String NOISY = "noisy";

    /**
     * More than a tenth of the latency of the slowest messages above the median is due to the
     * machine.
     */
    public static final String DISTURBED = "disturbed";

    /** More hot threads than cores. */
    public static final String OVERSUBSCRIBED = "oversubscribed";

    /** A role was killed as planned: its last report counts. */
    public static final String ROLE_KILLED = "role-killed";

    /** The wall clock stepped during the trial. */
    public static final String CLOCK_STEPPED = "clock-stepped";

    /** The machine had taken the cores of the test: void because of {@link TakenRule} alone. */
    public static final String TAKEN = "taken";

    /**
     * Another task had the core of a hot thread for so long that the row would be void by {@link
     * TakenRule}, if that task was none of the test's own: that cannot be told.
     */
    public static final String PERHAPS_TAKEN = "perhaps-taken";

    private Labels() {}

    /**
     * Labels of a row once its tail is attributed.
     *
     * @param labels so far
     * @param tail of the row
     * @return with {@link #DISTURBED} where it applies, and nowhere else; without {@link
     *     #PERHAPS_TAKEN}, which {@link TakenRule} gives anew
     */
    public static List<String> with(final List<String> labels, final TailSummary tail) {
        return Stream.concat(
                        labels.stream()
                                .filter(label ->
                                        !label.equals(DISTURBED) && !label.equals(PERHAPS_TAKEN)),
                        Stream.of(DISTURBED).filter(label -> tail.machineDisturbed()))
                .toList();
    }
}
