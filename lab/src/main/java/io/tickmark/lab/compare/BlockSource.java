package io.tickmark.lab.compare;

import io.tickmark.kernel.result.TrialResult;
import java.util.List;

/** The source of the intervals of a run's repeats. */
interface BlockSource {
    /** The intervals of one latency in one repeat of a row, in the order of time; may be none. */
    List<SparseHistogram> of(SideRow row, TrialResult trial, String latency);

    /**
     * Files that could not be read so far, sentences; their content is missing in the intervals.
     */
    default List<String> problems() {
        return List.of();
    }
}
