package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Outcome;
import io.tickmark.kernel.result.Aggregate.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What {@code side-by-side.json} holds.
 *
 * @param schema name and version of this format
 * @param startedAt ISO-8601 time with offset
 * @param rounds asked for; a row has a figure for each that counts
 * @param senderCore where the first sides were pinned
 * @param receiverCore where the second sides were pinned
 * @param rows one for each comparison
 * @param environment of the host, by group and name
 */
record SideBySideResult(
        String schema,
        String startedAt,
        int rounds,
        int senderCore,
        int receiverCore,
        List<ResultRow> rows,
        Map<String, Map<String, Object>> environment) {
    static final String SCHEMA = "tickmark.side-by-side/1";

    /**
     * One comparison; lists hold a figure for each round that counts.
     *
     * @param contest it belongs to
     * @param what is compared
     * @param ours name of the contestant that is judged
     * @param oursFigures its figures
     * @param peer name of the other; null where the figure itself is judged
     * @param peerFigures its figures
     * @param judged ratio or figure; null where nothing was measured
     * @param goal for the median
     * @param met whether it is reached
     * @param failures reasons why rounds are missing, by contestant
     */
    record ResultRow(
            String contest,
            String what,
            String ours,
            List<Double> oursFigures,
            String peer,
            List<Double> peerFigures,
            Spread judged,
            String goal,
            boolean met,
            Map<String, String> failures) {
        static ResultRow of(final Outcome outcome) {
            return new ResultRow(
                    outcome.contest(),
                    outcome.row().what(),
                    outcome.row().ours(),
                    outcome.ours(),
                    outcome.row().peer().orElse(null),
                    outcome.peer(),
                    outcome.isMeasured() ? Outcome.spread(outcome.judged()) : null,
                    outcome.row().goalText(),
                    outcome.isMet(),
                    outcome.failures());
        }
    }

    static List<ResultRow> rows(final List<Outcome> outcomes) {
        return new ArrayList<>(outcomes.stream().map(ResultRow::of).toList());
    }
}
