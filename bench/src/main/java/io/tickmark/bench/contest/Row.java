package io.tickmark.bench.contest;

import java.util.Optional;

/**
 * One comparison of a contest.
 *
 * @param what is compared
 * @param figure by which name both sides report it
 * @param ours name of the contestant that is judged
 * @param peer name of the one it is compared with; empty where the figure itself is judged
 * @param unit of the figure
 * @param goal for ours / peer, or for the figure
 */
public record Row(
        String what, String figure, String ours, Optional<String> peer, Unit unit, Goal goal) {

    /**
     * A ratio.
     *
     * @param what is compared
     * @param figure by which name both sides report it
     * @param ours name of the contestant that is judged
     * @param peer name of the one it is compared with
     * @param unit of the figure
     * @param goal for ours / peer
     * @return the row
     */
    public static Row ratio(
            final String what,
            final String figure,
            final String ours,
            final String peer,
            final Unit unit,
            final Goal goal) {
        return new Row(what, figure, ours, Optional.of(peer), unit, goal);
    }

    /**
     * A figure of our own.
     *
     * @param what it is
     * @param figure by which name it is reported
     * @param ours name of the contestant
     * @param unit of the figure
     * @param goal for the figure
     * @return the row
     */
    public static Row figure(
            final String what,
            final String figure,
            final String ours,
            final Unit unit,
            final Goal goal) {
        return new Row(what, figure, ours, Optional.empty(), unit, goal);
    }

    /**
     * How its goal reads: a ratio as it is, a figure with its unit.
     *
     * @return for the table
     */
    public String goalText() {
        return goal.text(
                peer.isPresent()
                        ? Goal::plain
                        : bound ->
                                unit.text(bound)
                                        .replaceFirst("(\\.\\d*?)0+(?= )", "$1")
                                        .replaceFirst("\\.(?= )", ""));
    }
}
