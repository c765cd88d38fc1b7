package io.tickmark.report.series;

import io.tickmark.kernel.record.RoleFiles;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.lab.result.IntervalLog;
import io.tickmark.lab.result.RoleFolders;
import io.tickmark.lab.result.ThreadNames;
import io.tickmark.report.rows.Block;
import io.tickmark.report.rows.MergedRow;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
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
    private static final long MOST_SECONDS = 1L << 42; // can be shown in ms

    private final Block block;
    private final Set<Counted> counted = new HashSet<>();
    private final Map<StepLatency, Histogram> totals = new LinkedHashMap<>();
    private final Set<String> latencies = new LinkedHashSet<>();
    private final Map<Integer, RepeatSeries> repeats = new TreeMap<>();
    private final List<String> problems = new ArrayList<>();
    private long tornLines;
    private long brokenLines;

    private record Counted(int repeat, int step) {}

    private record StepLatency(int step, String latency) {}

    private record RoleName(String role, int index) {}

    private BlockSeries(final Block block) {
        this.block = block;
        for (final MergedRow row : block.rows()) {
            latencies.addAll(row.latencies());
            row.repeats().forEach(trial -> counted.add(new Counted(trial.repeat(), trial.step())));
        }
    }

    /**
     * Reads the files of a block's roles.
     *
     * @param block test and channel
     * @param folders of the run
     * @return the series, as far as the files exist
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
        tornLines = 0;
        brokenLines = 0;
        StatsRow.read(folder.resolve(RoleFiles.STATS), row -> add(name, row))
                .ifPresent(problem -> problems.add(RoleFiles.STATS + of(role) + problem));
        if (tornLines > 0) {
            problems.add(
                    "%s%shas %s without a time"
                            .formatted(RoleFiles.STATS, of(role), Plural.of(tornLines, "line")));
        }
        if (brokenLines > 0) {
            problems.add(
                    "%s%shas %s with figures that cannot be read"
                            .formatted(RoleFiles.STATS, of(role), Plural.of(brokenLines, "line")));
        }
    }

    private static String of(final RoleName role) {
        return " of " + role.role() + " " + role.index() + " ";
    }

    private void add(final IntervalLog.Interval interval) {
        final int repeat = interval.tag().repeat();
        final int step = interval.tag().step();
        final String written = interval.tag().latency();
        final String latency = latencies.contains(written) ? written : ThreadNames.ofAll(written);
        if (interval.histogram().getTotalCount() > 0
                && counted.contains(new Counted(repeat, step))) {
            totals.computeIfAbsent(new StepLatency(step, latency), key -> new Histogram(DIGITS))
                    .add(interval.histogram());
            repeat(repeat).add(latency, interval);
        }
    }

    private RepeatSeries repeat(final int repeat) {
        return repeats.computeIfAbsent(repeat, RepeatSeries::new);
    }

    private void add(final String role, final StatsRow row) {
        final Optional<Instant> end = instant(row.text("time"));
        final int repeat = (int) row.number("repeat").orElse(0);
        final int step = (int) row.number("step").orElse(0);
        tornLines += end.isPresent() ? 0 : 1;
        if (end.isPresent() && counted.stream().anyMatch(each -> each.repeat() == repeat)) {
            final boolean isWhole =
                    repeat(repeat)
                            .add(role, row, end.get(), counted.contains(new Counted(repeat, step)));
            brokenLines += isWhole ? 0 : 1;
        }
    }

    private static Optional<Instant> instant(final String text) {
        try {
            return Optional.of(Instant.parse(text))
                    .filter(time -> Math.abs(time.getEpochSecond()) < MOST_SECONDS);
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
     * The latencies that the rows have.
     *
     * @return their names, in the order of the rows
     */
    public Set<String> latencies() {
        return Collections.unmodifiableSet(latencies);
    }

    /**
     * Repeats with data.
     *
     * @return in their order
     */
    public List<RepeatSeries> repeats() {
        return List.copyOf(repeats.values());
    }

    /**
     * What could not be read.
     *
     * @return one sentence, empty where everything was read
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
