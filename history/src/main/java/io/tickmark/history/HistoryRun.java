package io.tickmark.history;

import java.util.List;

/**
 * A run as the history keeps it.
 *
 * @param id by which it is named; made of its start, host, plan, folder's name and figures
 * @param startedAt ISO-8601 time with offset
 * @param plan name of the plan
 * @param tickmark version
 * @param host name of the machine, empty where it is not known
 * @param verdict {@code pass}, {@code fail} or {@code void}
 * @param folder where its files lie, or lay
 * @param tags in alphabetical order
 */
public record HistoryRun(
        String id,
        String startedAt,
        String plan,
        String tickmark,
        String host,
        String verdict,
        String folder,
        List<String> tags) {
    /** Copies the list. */
    public HistoryRun {
        tags = List.copyOf(tags);
    }
}
