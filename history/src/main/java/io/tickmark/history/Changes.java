package io.tickmark.history;

import io.tickmark.history.HistoryPoint.Series;
import java.util.List;
import java.util.Map;

/**
 * Where series changed, and what it took to find out.
 *
 * @param bySeries for each series the places of the first points after a change, ascending
 * @param windows how many windows of points were searched: 0 where all was kept from before
 * @param notKept why what was computed is not kept for the next time, a few words; empty where it
 *     is
 */
public record Changes(Map<Series, List<Integer>> bySeries, int windows, String notKept) {
    /** Copies the map. */
    public Changes {
        bySeries = Map.copyOf(bySeries);
    }
}
