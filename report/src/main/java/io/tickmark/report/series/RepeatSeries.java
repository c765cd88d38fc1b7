package io.tickmark.report.series;

import io.tickmark.lab.result.IntervalLog;
import io.tickmark.lab.result.ThreadNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** One repeat of a block over time, of all its roles. Filled by {@link BlockSeries}. */
public final class RepeatSeries {
    /** Most rates, and most roles, of one repeat: the number of distinguishable colours. */
    public static final int MOST_LINES = 8;

    private static final String PER_SECOND = "PerSecond";
    private static final List<String> FIRST = List.of("sent", "received");

    private final int repeat;
    private final Map<String, TimeLine> latencies = new LinkedHashMap<>();
    private final Map<String, MeanLine> rates = new LinkedHashMap<>();
    private final Map<String, Usage> roles = new LinkedHashMap<>();
    private final StepTimes steps = new StepTimes();

    private record Usage(MeanLine cpuPercent, MeanLine residentBytes) {}

    RepeatSeries(final int repeat) {
        this.repeat = repeat;
    }

    void add(final String latency, final IntervalLog.Interval interval) {
        latencies.computeIfAbsent(latency, key -> new TimeLine()).add(interval);
        final long startMs = interval.startMs();
        steps.add(interval.tag().step(), startMs, startMs);
    }

    /**
     * Adds a row of a role's statistics; {@code isCounted} says whether its step has a result.
     *
     * @return whether all of its figures could be read; those that could not are left out
     */
    boolean add(final String role, final StatsRow row, final Instant end, final boolean isCounted) {
        final long endMs = end.toEpochMilli();
        final double seconds = row.number("seconds").orElse(-1);
        if (seconds == 0) {
            return true; // less than half a millisecond, in which nothing can be drawn
        }
        boolean isWhole = true;
        for (final String column : row.columns()) {
            if (column.endsWith(PER_SECOND)) {
                final String counter =
                        ThreadNames.ofAll(
                                column.substring(0, column.length() - PER_SECOND.length()));
                isWhole &=
                        add(
                                // one share for each thread of the role
                                role + ' ' + column,
                                row,
                                column,
                                endMs,
                                () -> rates.computeIfAbsent(counter, key -> new MeanLine()));
            }
        }
        final Usage usage =
                roles.computeIfAbsent(role, key -> new Usage(new MeanLine(), new MeanLine()));
        isWhole &= add(role, row, "cpuPercent", endMs, usage::cpuPercent);
        isWhole &= add(role, row, "residentBytes", endMs, usage::residentBytes);
        if (isCounted && seconds > 0 && seconds < Integer.MAX_VALUE) {
            steps.add((int) row.number("step").orElse(0), endMs - Math.round(seconds * 1e3), endMs);
        }
        return isWhole;
    }

    /** An empty cell is a figure that the role did not know; any other one has to be a number. */
    private static boolean add(
            final String role,
            final StatsRow row,
            final String column,
            final long endMs,
            final Supplier<MeanLine> line) {
        if (row.text(column).isEmpty()) {
            return true;
        }
        final OptionalDouble value = row.number(column);
        return value.isPresent()
                && line.get()
                        .add(role, endMs, row.number("seconds").orElse(-1), value.getAsDouble());
    }

    /**
     * Which repeat it is.
     *
     * @return from 1
     */
    public int repeat() {
        return repeat;
    }

    /**
     * The steps.
     *
     * @return in the order of time
     */
    public List<Span> steps() {
        return steps.spans();
    }

    /**
     * A latency over time.
     *
     * @param name of the latency
     * @return points, empty where it has none
     */
    public List<TimeLine.Point> latency(final String name) {
        final TimeLine line = latencies.get(name);
        return line == null ? List.of() : line.points();
    }

    /**
     * The rates of the counters, summed over roles and threads.
     *
     * @return by name of the counter, at most {@link #MOST_LINES}: what was sent and received, then
     *     the others as the roles have them; without those that stayed at zero
     */
    public Map<String, List<MeanLine.Point>> rates() {
        final Map<String, List<MeanLine.Point>> found = new LinkedHashMap<>();
        Stream.concat(FIRST.stream().filter(rates::containsKey), rates.keySet().stream())
                .distinct()
                .filter(this::hasMoved)
                .limit(MOST_LINES)
                .forEach(name -> found.put(name, rates.get(name).points()));
        return found;
    }

    private boolean hasMoved(final String counter) {
        return rates.get(counter).points().stream().anyMatch(point -> point.value() > 0);
    }

    /**
     * Counters that did not stay at zero.
     *
     * @return how many, including those omitted by {@link #rates}
     */
    public int rateCount() {
        return (int) rates.keySet().stream().filter(this::hasMoved).count();
    }

    /**
     * CPU and memory of the roles.
     *
     * @return one for each role in the order of the plan; where there are more than {@link
     *     #MOST_LINES}, those that took most CPU
     */
    public List<RoleUsage> roles() {
        final List<RoleUsage> all = new ArrayList<>();
        roles.forEach((role, usage) ->
                all.add(
                        new RoleUsage(
                                nameOf(role),
                                usage.cpuPercent().points(),
                                usage.residentBytes().points())));
        final List<RoleUsage> most =
                all.stream()
                        .sorted(Comparator.comparingDouble(RoleUsage::peakCpuPercent).reversed())
                        .limit(MOST_LINES)
                        .toList();
        return all.stream().filter(most::contains).toList();
    }

    /**
     * Roles that wrote statistics.
     *
     * @return how many, including those omitted by {@link #roles}
     */
    public int roleCount() {
        return roles.size();
    }

    /** Only the name where no other role has it. */
    private String nameOf(final String role) {
        final String name = role.replaceFirst("-\\d+$", "");
        final long same =
                roles.keySet().stream()
                        .filter(each -> each.replaceFirst("-\\d+$", "").equals(name))
                        .count();
        return same > 1 ? role : name;
    }

    /**
     * When it began.
     *
     * @return earliest point of all lines, since 1970
     */
    public long startMs() {
        final LongStream latencyMs =
                latencies.values().stream()
                        .flatMap(line -> line.points().stream())
                        .mapToLong(TimeLine.Point::startMs);
        final Stream<MeanLine> usages =
                roles.values().stream()
                        .flatMap(usage -> Stream.of(usage.cpuPercent(), usage.residentBytes()));
        final LongStream otherMs =
                Stream.concat(rates.values().stream(), usages)
                        .flatMap(line -> line.points().stream())
                        .mapToLong(MeanLine.Point::startMs);
        return LongStream.concat(latencyMs, otherMs).min().orElse(0);
    }

    /**
     * The resource usage of one role over time.
     *
     * @param role its name, with its number where there are several
     * @param cpuPercent of one core, empty where it was not measured
     * @param residentBytes memory, empty where it was not measured
     */
    public record RoleUsage(
            String role, List<MeanLine.Point> cpuPercent, List<MeanLine.Point> residentBytes) {
        /** Copies the lists. */
        public RoleUsage {
            cpuPercent = List.copyOf(cpuPercent);
            residentBytes = List.copyOf(residentBytes);
        }

        /**
         * Its sort key among others.
         *
         * @return highest CPU of a point, 0 without one
         */
        double peakCpuPercent() {
            return cpuPercent.stream().mapToDouble(MeanLine.Point::value).max().orElse(0);
        }
    }

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

    /** The times of the steps of one repeat, from its roles' files. Single-threaded. */
    static final class StepTimes {
        private final Map<Integer, Span> spans = new HashMap<>();

        /**
         * Adds a part of a step.
         *
         * @param step its number
         * @param startMs when the part began, since 1970
         * @param endMs when it ended, not before it began
         */
        void add(final int step, final long startMs, final long endMs) {
            spans.merge(step, new Span(step, startMs, endMs), Span::plus);
        }

        /**
         * The steps so far.
         *
         * @return in the order of time, none reaching into the next
         */
        List<Span> spans() {
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
}
