package io.tickmark.report.series;

import io.tickmark.kernel.record.RoleFiles;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.lab.result.Interval;
import io.tickmark.lab.result.IntervalLog;
import io.tickmark.lab.result.RoleFolders;
import io.tickmark.report.rows.Block;
import io.tickmark.report.rows.MergedRow;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** All series of one test on one channel, of all its roles. Built by {@link #read}. */
public final class BlockSeries {
    private static final int DIGITS = 3;
    private static final String PER_SECOND = "PerSecond";
    private static final List<String> RATES = List.of("sent", "received");

    private final Block block;
    private final Set<Counted> counted = new HashSet<>();
    private final Map<StepLatency, Histogram> totals = new LinkedHashMap<>();
    private final Map<RepeatLatency, TimeLine> timeLines = new TreeMap<>();
    private final Map<Integer, Map<String, RateLine>> rates = new TreeMap<>();
    private final List<String> problems = new ArrayList<>();

    private record Counted(int repeat, int step) {}

    private record StepLatency(int step, String latency) {}

    private record RepeatLatency(int repeat, String latency) implements Comparable<RepeatLatency> {
        @Override
        public int compareTo(final RepeatLatency other) {
            return repeat != other.repeat
                    ? Integer.compare(repeat, other.repeat)
                    : latency.compareTo(other.latency);
        }
    }

    private record RoleName(String role, int index) {}

    private BlockSeries(final Block block) {
        this.block = block;
        for (final MergedRow row : block.rows()) {
            row.repeats().forEach(trial -> counted.add(new Counted(trial.repeat(), trial.step())));
        }
    }

    /**
     * Reads what the roles of a block left behind.
     *
     * @param block test and channel
     * @param folders of the run
     * @return the series, as far as the files are there
     */
    public static BlockSeries read(final Block block, final RoleFolders folders) {
        final BlockSeries series = new BlockSeries(block);
        final Set<RoleName> roles = new LinkedHashSet<>();
        for (final MergedRow row : block.rows()) {
            for (final TrialResult trial : row.repeats()) {
                trial.roles().forEach(role -> roles.add(new RoleName(role.role(), role.index())));
            }
        }
        for (final RoleName role : roles) {
            final Optional<Path> folder =
                    folders.find(block.test(), block.channel(), role.role(), role.index());
            if (folder.isPresent()) {
                series.read(role, folder.get());
            } else {
                series.problems.add(
                        "the folder of " + role.role() + " " + role.index() + " is missing");
            }
        }
        return series;
    }

    private void read(final RoleName role, final Path folder) {
        IntervalLog.read(folder.resolve(RoleFiles.HISTOGRAMS), this::add)
                .ifPresent(problem -> problems.add(RoleFiles.HISTOGRAMS + of(role) + problem));
        final String name = role.role() + "-" + role.index();
        StatsLog.read(folder.resolve(RoleFiles.STATS), row -> add(name, row))
                .ifPresent(problem -> problems.add(RoleFiles.STATS + of(role) + problem));
    }

    private static String of(final RoleName role) {
        return " of " + role.role() + " " + role.index() + " ";
    }

    private void add(final Interval interval) {
        final int repeat = interval.tag().repeat();
        final int step = interval.tag().step();
        final String latency = interval.tag().latency();
        if (interval.histogram().getTotalCount() > 0
                && counted.contains(new Counted(repeat, step))) {
            totals.computeIfAbsent(new StepLatency(step, latency), key -> new Histogram(DIGITS))
                    .add(interval.histogram());
            timeLines
                    .computeIfAbsent(new RepeatLatency(repeat, latency), key -> new TimeLine())
                    .add(interval);
        }
    }

    private void add(final String role, final StatsRow row) {
        final Optional<Instant> end = instant(row.text("time"));
        final int repeat = (int) row.number("repeat").orElse(0);
        final double seconds = row.number("seconds").orElse(0);
        if (end.isEmpty() || counted.stream().noneMatch(each -> each.repeat() == repeat)) {
            return;
        }
        for (final String rate : RATES) {
            row.number(rate + PER_SECOND)
                    .ifPresent(perSecond ->
                            rates.computeIfAbsent(repeat, key -> new LinkedHashMap<>())
                                    .computeIfAbsent(rate, key -> new RateLine())
                                    .add(role, end.get().toEpochMilli(), seconds, perSecond));
        }
    }

    private static Optional<Instant> instant(final String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (final DateTimeException e) {
            return Optional.empty(); // a torn line
        }
    }

    /**
     * The percentile curves of a step, repeats added up.
     *
     * @param step its number
     * @return by name of the latency
     */
    public Map<String, PercentileCurve> curves(final int step) {
        final Map<String, PercentileCurve> curves = new LinkedHashMap<>();
        totals.forEach((key, histogram) -> {
            if (key.step() == step) {
                curves.put(key.latency(), PercentileCurve.of(histogram));
            }
        });
        return curves;
    }

    /**
     * Repeats that left a time line of a latency.
     *
     * @param latency its name
     * @return repeat to points, in order
     */
    public Map<Integer, List<TimeLine.Point>> timeLines(final String latency) {
        final Map<Integer, List<TimeLine.Point>> found = new TreeMap<>();
        timeLines.forEach((key, line) -> {
            if (key.latency().equals(latency)) {
                found.put(key.repeat(), line.points());
            }
        });
        return found;
    }

    /**
     * The rates of a repeat.
     *
     * @param repeat from 1
     * @return {@code sent} and {@code received}, as far as counted
     */
    public Map<String, List<RateLine.Point>> rates(final int repeat) {
        final Map<String, List<RateLine.Point>> found = new LinkedHashMap<>();
        rates.getOrDefault(repeat, Map.of())
                .forEach((name, line) -> found.put(name, line.points()));
        return found;
    }

    /**
     * What could not be read.
     *
     * @return one sentence, empty where all was there
     */
    public Optional<String> missing() {
        return problems.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        block.test()
                                + " on "
                                + (block.channel() + ": ").replace(":: ", ": ")
                                + String.join(", ", problems)
                                + "; its curves and time lines lack that part.");
    }
}
