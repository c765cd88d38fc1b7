package io.tickmark.kernel.loop;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.Recording;
import io.tickmark.kernel.result.CountSentence;
import io.tickmark.kernel.result.Counts;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What a record of counts declares with {@link Column}: how its values are created, added up and
 * shown. Not for the hot path, which writes to the counters themselves.
 *
 * @param <T> a record whose components are all {@link Counter} or {@link Timings}, each with a
 *     {@link Column}
 */
public final class Columns<T extends Record> {
    private static final double SECOND_NS = 1e9;

    private final Constructor<T> constructor;
    private final List<Part> parts = new ArrayList<>();

    /** One component. */
    private record Part(String name, Column column, Method accessor, boolean isCounter) {
        Counter counter(final Record of) {
            return (Counter) value(of);
        }

        Timings timings(final Record of) {
            return (Timings) value(of);
        }

        private Object value(final Record of) {
            try {
                return accessor.invoke(of);
            } catch (final ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private Columns(final Class<T> type) {
        final RecordComponent[] components = type.getRecordComponents();
        final Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < components.length; i++) {
            final RecordComponent each = components[i];
            types[i] = each.getType();
            final boolean isCounter = types[i] == Counter.class;
            if (!isCounter && types[i] != Timings.class) {
                throw new IllegalArgumentException(
                        each + " of " + type + " is neither a Counter nor Timings");
            }
            final Column column = each.getAnnotation(Column.class);
            if (column == null) {
                throw new IllegalArgumentException(each + " of " + type + " has no @Column");
            }
            final String count = column.count();
            if (!count.isEmpty() && column.isLargest() != Counts.isMaximum(count)) {
                throw new IllegalArgumentException(
                        each
                                + " of "
                                + type
                                + " is merged otherwise than '"
                                + count
                                + "' of roles");
            }
            each.getAccessor().setAccessible(true); // roles' records are package-private
            parts.add(new Part(each.getName(), column, each.getAccessor(), isCounter));
        }
        try {
            constructor = type.getDeclaredConstructor(types);
        } catch (final NoSuchMethodException e) {
            throw new IllegalArgumentException(e);
        }
        constructor.setAccessible(true);
    }

    /**
     * Reads the declaration.
     *
     * @param <T> the record
     * @param type of the record
     * @return its columns
     * @throws IllegalArgumentException if a component has no annotation or another type, or loops
     *     are merged otherwise than roles
     */
    public static <T extends Record> Columns<T> of(final Class<T> type) {
        return new Columns<>(type);
    }

    private T make(final Function<Part, Object> value) {
        try {
            return constructor.newInstance(parts.stream().map(value).toArray());
        } catch (final ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Values of one loop, all 0, which only that loop writes.
     *
     * @param recording of the role
     * @param suffix of the loop, appended to the names in the recording
     * @return new values
     */
    T live(final Recording recording, final String suffix) {
        return make(part -> {
            if (!part.isCounter) {
                return Timings.live();
            }
            return part.column.recorded().isEmpty()
                    ? Counter.detached(part.name)
                    : recording.counter(part.column.recorded() + suffix);
        });
    }

    /**
     * Values that belong to no loop.
     *
     * @return new values, all 0
     */
    public T zero() {
        return make(part -> part.isCounter ? Counter.detached(part.name) : new Timings());
    }

    /**
     * The values of several loops, or intervals, together.
     *
     * @param values to add up; they are not changed
     * @return new values
     */
    public T sum(final Collection<T> values) {
        final T sum = zero();
        for (final Part part : parts) {
            for (final T each : values) {
                if (!part.isCounter) {
                    part.timings(sum).add(part.timings(each));
                } else if (part.column.isLargest()) {
                    final Counter largest = part.counter(sum);
                    largest.set(Math.max(largest.get(), part.counter(each).get()));
                } else {
                    part.counter(sum).add(part.counter(each).get());
                }
            }
        }
        return sum;
    }

    /**
     * The values of several loops together.
     *
     * @param loops to add up; they have ended
     * @return new values
     */
    public Totals<T> totals(final Collection<LoopCounts<T>> loops) {
        final T startup = sum(loops.stream().map(LoopCounts::startup).toList());
        final T steady = sum(loops.stream().map(LoopCounts::steady).toList());
        return new Totals<>(startup, steady, sum(List.of(startup, steady)));
    }

    /**
     * What loops counted.
     *
     * @param <T> record of counts
     * @param startup up to the steady state; all, where it has not begun
     * @param steady in the steady state; 0 where it has not begun
     * @param all both together
     */
    public record Totals<T extends Record>(T startup, T steady, T all) {}

    /**
     * These counts less others; latencies, which cannot be subtracted, and figures of a whole life
     * stay unchanged.
     *
     * @param values to subtract from; not changed
     * @param others to subtract
     * @return new values
     */
    public T minus(final T values, final T others) {
        final T rest = sum(List.of(values));
        for (final Part part : parts) {
            if (part.isCounter && !part.column.isLargest()) {
                part.counter(rest).add(-part.counter(others).get());
            }
        }
        return rest;
    }

    void clear(final T values) {
        for (final Part part : parts) {
            if (part.isCounter) {
                part.counter(values).set(0);
            } else {
                part.timings(values).clear();
            }
        }
    }

    /** Moves the latencies of one record to the other, and resets them. */
    void moveTimings(final T from, final T to, final boolean isInterval) {
        for (final Part part : parts) {
            if (!part.isCounter) {
                final Timings timings = part.timings(from);
                part.timings(to).clear();
                part.timings(to).add(isInterval ? timings.takeInterval() : timings.take());
            }
        }
    }

    /** Headings of the statistics file. */
    List<String> headings() {
        final List<String> headings = new ArrayList<>();
        for (final Part part : parts) {
            final Column column = part.column;
            if (!column.csv().isEmpty()) {
                headings.add(column.csv());
                if (!part.isCounter) {
                    for (final String figure : List.of("avg", "std dev", "max", "min")) {
                        headings.add(column.summary() + " " + figure + " (usec)");
                    }
                }
            }
            if (!column.csvPerSecond().isEmpty()) {
                headings.add(column.csvPerSecond());
            }
        }
        return headings;
    }

    /** Cells of a row of the statistics file. */
    List<String> cells(final T values, final long lengthNs) {
        final List<String> cells = new ArrayList<>();
        for (final Part part : parts) {
            if (!part.column.csv().isEmpty()) {
                cells.add(cell(part, values));
            }
            if (!part.column.csvPerSecond().isEmpty()) {
                cells.add(Long.toString(rate(part, values, lengthNs)));
            }
        }
        return cells;
    }

    private static String cell(final Part part, final Record values) {
        if (part.isCounter) {
            return Long.toString(part.counter(values).get());
        }
        final Timings timings = part.timings(values);
        return format(
                "%d, %.1f, %.1f, %.1f, %.1f",
                timings.count(),
                timings.meanUs(),
                timings.deviationUs(),
                timings.maxUs(),
                timings.minUs());
    }

    private static long rate(final Part part, final Record values, final long lengthNs) {
        return Math.round(part.counter(values).get() * SECOND_NS / Math.max(1, lengthNs));
    }

    /** Counts of a console line, followed by rates. */
    List<String> consoleCounts(final T values, final long lengthNs) {
        final List<String> texts = new ArrayList<>();
        for (final Part part : shown(Column::console)) {
            if (part.isCounter) {
                texts.add(format(part.column.console(), part.counter(values).get()));
            }
        }
        for (final Part part : shown(Column::consolePerSecond)) {
            texts.add(format(part.column.consolePerSecond(), rate(part, values, lengthNs)));
        }
        return texts;
    }

    /** Console lines of the recorded latencies. */
    List<String> consoleLatencies(final T values) {
        final List<String> lines = new ArrayList<>();
        for (final Part part : shown(Column::console)) {
            if (!part.isCounter && part.timings(values).count() > 0) {
                final Timings timings = part.timings(values);
                lines.add(
                        format(
                                "  %s(usec): Avg:%7.1f StdDev:%7.1f Max:%6.0f Min:%6.0f, Msgs: %d",
                                part.column.console(),
                                timings.meanUs(),
                                timings.deviationUs(),
                                timings.maxUs(),
                                timings.minUs(),
                                timings.count()));
            }
        }
        return lines;
    }

    /**
     * Latencies as a summary shows them. A latency other than the role's main one is reported as
     * missing where there was none.
     *
     * @param values of loops
     * @param asked names of groups that are always shown
     * @return indented lines with their ends
     */
    public String latencyLines(final T values, final Set<String> asked) {
        final StringBuilder text = new StringBuilder();
        for (final Part part : shown(Column::summary)) {
            if (part.isCounter || !isShown(part, values, asked)) {
                continue;
            }
            final String name = part.column.summary();
            final Timings timings = part.timings(values);
            if (timings.count() == 0) {
                if (name.contains(" ")) {
                    text.append(
                            format(
                                    "  No %s latency information was received.\n",
                                    name.replace(" Latency", "")));
                }
                continue;
            }
            text.append(format("  %s avg (usec): %.1f\n", name, timings.meanUs()))
                    .append(format("  %s std dev (usec): %.1f\n", name, timings.deviationUs()))
                    .append(format("  %s max (usec): %.1f\n", name, timings.maxUs()))
                    .append(format("  %s min (usec): %.1f\n", name, timings.minUs()));
        }
        return text.toString();
    }

    /**
     * Counts as a summary shows them.
     *
     * @param values of loops
     * @param asked names of groups that are always shown
     * @return indented lines with their ends
     */
    public String countLines(final T values, final Set<String> asked) {
        final StringBuilder text = new StringBuilder();
        for (final Part part : shown(Column::summary)) {
            if (part.isCounter && isShown(part, values, asked)) {
                text.append(
                        format("  %s: %d\n", part.column.summary(), part.counter(values).get()));
            }
        }
        return text.toString();
    }

    private boolean isShown(final Part part, final T values, final Set<String> asked) {
        final String group = part.column.group();
        return group.isEmpty() || asked.contains(group) || isAny(group, values);
    }

    private boolean isAny(final String group, final T values) {
        return parts.stream()
                .filter(part -> part.isCounter && part.column.group().equals(group))
                .anyMatch(part -> part.counter(values).get() != 0);
    }

    /**
     * The counts of a step.
     *
     * @param values of all loops together in the step
     * @param asked names of groups that are always present
     * @return by name, a new map in the order of the components
     */
    public Map<String, Long> counts(final T values, final Set<String> asked) {
        final Map<String, Long> counts = new LinkedHashMap<>();
        for (final Part part : shown(Column::count)) {
            if (isShown(part, values, asked)) {
                counts.put(part.column.count(), part.counter(values).get());
            }
        }
        return counts;
    }

    /**
     * Counts that are known by their names alone.
     *
     * @param counts by the names that they have in a step; others are passed over
     * @return new values, 0 for what is not among them
     */
    public T read(final Map<String, Long> counts) {
        final T values = zero();
        for (final Part part : shown(Column::count)) {
            part.counter(values).set(counts.getOrDefault(part.column.count(), 0L));
        }
        return values;
    }

    /**
     * What the user is warned of.
     *
     * @param values of all loops together
     * @return a sentence for each declared one whose count is above 0
     */
    public List<String> warnings(final T values) {
        return warnings(values, Map.of());
    }

    /**
     * What the user is warned of, in more than numbers.
     *
     * @param values of all loops together
     * @param further what some sentences say after the count, by their counters
     * @return a sentence for each declared one whose count is above 0
     */
    public List<String> warnings(final T values, final Map<Counter, List<Object>> further) {
        return sentences(Column::warning, values, further);
    }

    /**
     * Why a role has not passed.
     *
     * @param values of all loops together
     * @param further what some sentences say after the count, by their counters
     * @return a sentence for each declared one whose count is above 0
     */
    public List<String> failures(final T values, final Map<Counter, List<Object>> further) {
        return sentences(Column::failure, values, further);
    }

    private List<String> sentences(
            final Function<Column, String> kind,
            final T values,
            final Map<Counter, List<Object>> further) {
        return shown(kind).stream()
                .filter(part -> part.counter(values).get() > 0)
                .map(part -> {
                    final Counter counter = part.counter(values);
                    return CountSentence.of(
                            kind.apply(part.column),
                            counter.get(),
                            further.getOrDefault(counter, List.of()).toArray());
                })
                .toList();
    }

    /**
     * The role's metrics.
     *
     * @param all values of all loops together
     * @param steady those of the steady state
     * @param steadyNs its length
     * @param asked names of groups that are always present
     * @param behind further metrics of the role, by the metric that they follow, whether or not
     *     that one is present; those of an empty name are first
     * @return by name, in the order to show
     */
    public Map<String, Object> metrics(
            final T all,
            final T steady,
            final long steadyNs,
            final Set<String> asked,
            final Map<String, Map<String, Object>> behind) {
        final Map<String, Object> metrics = new LinkedHashMap<>(behind.getOrDefault("", Map.of()));
        for (final Part part : shown(Column::metric)) {
            final Column column = part.column;
            final long value = part.counter(all).get();
            if (!column.isSparse()
                    || (column.group().isEmpty() ? value != 0 : isShown(part, all, asked))) {
                metrics.put(column.metric(), value);
            }
            if (!column.metricPerSecond().isEmpty()) {
                metrics.put(
                        column.metricPerSecond(), perSecond(part.counter(steady).get(), steadyNs));
            }
            metrics.putAll(behind.getOrDefault(column.metric(), Map.of()));
        }
        return metrics;
    }

    /**
     * A rate as metrics show it.
     *
     * @param count of messages
     * @param overNs time that they took
     * @return per second, to a tenth; 0 where the time is 0
     */
    public static double perSecond(final long count, final long overNs) {
        return overNs <= 0 ? 0 : Math.round(count * SECOND_NS / overNs * 10) / 10.0;
    }

    private List<Part> shown(final Function<Column, String> place) {
        final Predicate<Part> isThere = part -> !place.apply(part.column).isEmpty();
        return parts.stream().filter(isThere).toList();
    }

    private static String format(final String text, final Object... values) {
        return String.format(Locale.ROOT, text, values);
    }
}
