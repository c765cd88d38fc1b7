package io.tickmark.lab.compare;

import io.tickmark.kernel.result.TrialResult;
import java.util.List;

/** Where the intervals of a run's repeats come from. */
interface BlockSource {
    /** The intervals of one latency in one repeat of a row, in the order of time; may be none. */
    List<SparseHistogram> of(SideRow row, TrialResult trial, String latency);

    /** Files that could not be read so far, sentences; what they hold is not in the intervals. */
    default List<String> problems() {
        return List.of();
    }
}
