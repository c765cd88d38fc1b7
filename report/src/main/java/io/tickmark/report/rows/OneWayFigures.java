package io.tickmark.report.rows;

import io.tickmark.kernel.result.Aggregate;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.lab.verdict.OneWay;
import java.util.ArrayList;
import java.util.List;

/**
 * One-way latency that the run derived from the round trips of one test and channel.
 *
 * @param toLast whether it is that to the last of several subscribers
 * @param steps at least one
 */
public record OneWayFigures(boolean toLast, List<Step> steps) {
    /** Copies the list. */
    public OneWayFigures {
        steps = List.copyOf(steps);
    }

    /**
     * One message size.
     *
     * @param payloadBytes message length
     * @param meanNs median over the repeats
     * @param p50Ns median over the repeats
     */
    public record Step(int payloadBytes, double meanNs, double p50Ns) {}

    /**
     * The figures of a block.
     *
     * @param run any result
     * @param block one of the run's
     * @return those to one subscriber, those to the last of several; empty where none was derived
     */
    public static List<OneWayFigures> of(final RunResult run, final Block block) {
        final List<OneWayFigures> found = new ArrayList<>();
        for (final String name : List.of(OneWay.ONE_WAY_NS, OneWay.ONE_WAY_TO_LAST_NS)) {
            final List<Step> steps =
                    run.aggregates().stream()
                            .filter(aggregate -> isOf(aggregate, block))
                            .filter(aggregate ->
                                    OneWay.FIGURES.stream()
                                            .map(figure -> name + "." + figure)
                                            .allMatch(aggregate.figures()::containsKey))
                            .map(aggregate -> step(aggregate, name))
                            .toList();
            if (!steps.isEmpty()) {
                found.add(new OneWayFigures(name.equals(OneWay.ONE_WAY_TO_LAST_NS), steps));
            }
        }
        return found;
    }

    private static boolean isOf(final Aggregate aggregate, final Block block) {
        return aggregate.test().equals(block.test()) && aggregate.channel().equals(block.channel());
    }

    private static Step step(final Aggregate aggregate, final String name) {
        return new Step(
                aggregate.payloadBytes(),
                aggregate.figures().get(name + ".mean").median(),
                aggregate.figures().get(name + ".p50").median());
    }

    /**
     * The title of the figures.
     *
     * @return a title that says how it was derived
     */
    public String title() {
        return toLast
                ? "One way to the last subscriber, derived: round trip less half of the one-to-one round trip"
                : "One way, derived: half of the round trip";
    }
}
