package io.tickmark.bench.contest;

import java.util.Map;

/** One side of a contest; it can be measured again and again. */
public interface Contestant {
    /**
     * Its name, unique in the contest.
     *
     * @return as the table has it
     */
    String name();

    /**
     * Measures once; bounded in time, and nothing it started is left afterwards.
     *
     * @return figures by name, the same names as the other side's
     * @throws NotMeasured where there is no figure, with the reason
     */
    Map<String, Double> measure();
}
