package io.tickmark.report.series;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The times of the steps of one repeat, from its roles' files. Single-threaded. */
public final class StepTimes {
    private final Map<Integer, Span> spans = new HashMap<>();

    /**
     * A step.
     *
     * @param step its number
     * @param startMs when the first role began it, since 1970
     * @param endMs when the last role ended it or the next step began, whichever was first
     */
    public record Span(int step, long startMs, long endMs) {
        private Span plus(final Span other) {
            return new Span(step, Math.min(startMs, other.startMs), Math.max(endMs, other.endMs));
        }
    }

    /** Without steps. */
    public StepTimes() {}

    /**
     * Adds a part of a step.
     *
     * @param step its number
     * @param startMs when the part began, since 1970
     * @param endMs when it ended, not before it began
     */
    public void add(final int step, final long startMs, final long endMs) {
        spans.merge(step, new Span(step, startMs, endMs), Span::plus);
    }

    /**
     * The steps so far.
     *
     * @return in the order of time, none reaching into the next
     */
    public List<Span> spans() {
        final List<Span> sorted = new ArrayList<>(spans.values());
        sorted.sort(Comparator.comparingLong(Span::startMs).thenComparingInt(Span::step));
        final List<Span> spans = new ArrayList<>();
        for (int at = 0; at < sorted.size(); at++) {
            final Span span = sorted.get(at);
            final long endMs =
                    at + 1 < sorted.size()
                            ? Math.min(span.endMs(), sorted.get(at + 1).startMs())
                            : span.endMs();
            spans.add(new Span(span.step(), span.startMs(), endMs));
        }
        return spans;
    }
}
