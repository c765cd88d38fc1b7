package io.tickmark.lab.compare;

import io.tickmark.kernel.record.RoleFiles;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.lab.result.Interval;
import io.tickmark.lab.result.IntervalLog;
import io.tickmark.lab.result.RoleFolders;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * What the roles of a run recorded second by second, put together over roles; read test by test, so
 * that one test's recordings are in memory at a time.
 */
final class IntervalBlocks implements BlockSource {
    private static final int DIGITS = 3;
    private static final long BIN_MS = 1000;

    /** Neighbours are put together where there are more. */
    private static final int MOST = 240;

    private final Map<Key, TreeMap<Long, Histogram>> bins = new HashMap<>();
    private final Side side;
    private String read = "";

    private record Key(String latency, int repeat, int step) {}

    IntervalBlocks(final Side side) {
        this.side = side;
    }

    @Override
    public List<SparseHistogram> of(
            final SideRow row, final TrialResult trial, final String latency) {
        read(row);
        final List<Histogram> intervals =
                new ArrayList<>(
                        bins.getOrDefault(
                                        new Key(latency, trial.repeat(), trial.step()),
                                        new TreeMap<>())
                                .values());
        final int together = (intervals.size() + MOST - 1) / MOST;
        final List<SparseHistogram> blocks = new ArrayList<>();
        for (int i = 0; i < intervals.size(); i += together) {
            final Histogram block = intervals.get(i).copy();
            intervals.subList(i + 1, Math.min(intervals.size(), i + together)).forEach(block::add);
            blocks.add(SparseHistogram.of(block));
        }
        return blocks;
    }

    private void read(final SideRow row) {
        final String wanted = row.key().test() + "\n" + row.key().channel();
        if (side.folder().isEmpty() || wanted.equals(read)) {
            return;
        }
        read = wanted;
        bins.clear();
        final RoleFolders folders = new RoleFolders(side.folder().get());
        final Set<Path> logs = new HashSet<>();
        for (final TrialResult trial : row.repeats()) {
            trial.roles()
                    .forEach(role ->
                            folders.find(trial.test(), trial.channel(), role.role(), role.index())
                                    .ifPresent(folder ->
                                            logs.add(folder.resolve(RoleFiles.HISTOGRAMS))));
        }
        // a log that is missing or torn makes intervals of the effect no narrower: repeats decide
        logs.forEach(log -> IntervalLog.read(log, this::add));
    }

    private void add(final Interval interval) {
        if (interval.histogram().getTotalCount() > 0) {
            bins.computeIfAbsent(
                            new Key(
                                    interval.tag().latency(),
                                    interval.tag().repeat(),
                                    interval.tag().step()),
                            key -> new TreeMap<>())
                    .computeIfAbsent(
                            Math.floorDiv(interval.startMs(), BIN_MS), bin -> new Histogram(DIGITS))
                    .add(interval.histogram());
        }
    }
}
