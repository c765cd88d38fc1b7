package io.tickmark.lab.compare;

import io.tickmark.kernel.record.RoleFiles;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.lab.result.IntervalBins;
import io.tickmark.lab.result.IntervalLog;
import io.tickmark.lab.result.RoleFolders;
import io.tickmark.lab.result.ThreadNames;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the roles of a run recorded second by second, merged over roles and their threads; read row
 * by row, so that one row's recordings are in memory at a time.
 */
final class IntervalBlocks implements Samples.BlockSource {
    private static final long BLOCK_MS = 1000;

    /** Neighbours are merged where there are more. */
    static final int MOST = 240;

    private final Map<Key, IntervalBins> blocks = new HashMap<>();
    private final Map<Path, String> problems = new TreeMap<>();
    private final Side side;
    private Optional<SideRow.Key> read = Optional.empty();

    private record Key(String latency, int repeat) {}

    IntervalBlocks(final Side side) {
        this.side = side;
    }

    @Override
    public BlockBootstrap bootstrap(
            final SideRow row, final TrialResult trial, final String latency) {
        return new BlockBootstrap(of(row, trial, latency));
    }

    /** The intervals of one latency in one repeat of a row, in the order of time; may be none. */
    List<SparseHistogram> of(final SideRow row, final TrialResult trial, final String latency) {
        read(row);
        return Optional.ofNullable(blocks.get(new Key(latency, trial.repeat()))).stream()
                .flatMap(bins -> bins.bins().stream())
                .map(bin -> SparseHistogram.of(bin.histogram()))
                .toList();
    }

    private void read(final SideRow row) {
        if (side.folder().isEmpty() || read.equals(Optional.of(row.key()))) {
            return;
        }
        read = Optional.of(row.key());
        blocks.clear();
        final RoleFolders folders = new RoleFolders(side.folder().get());
        final Set<Path> logs = new HashSet<>();
        for (final TrialResult trial : row.repeats()) {
            trial.roles()
                    .forEach(role ->
                            folders.find(trial.test(), trial.channel(), role.role(), role.index())
                                    .ifPresent(folder ->
                                            logs.add(folder.resolve(RoleFiles.HISTOGRAMS))));
        }
        // the comparison uses only the repeats where a log is missing or torn, and the reader is
        // warned
        final Set<String> latencies = row.any().latencies().keySet();
        logs.forEach(log ->
                IntervalLog.read(
                                log,
                                interval -> {
                                    if (interval.tag().step() == row.key().step()) {
                                        add(latencies, interval);
                                    }
                                })
                        .ifPresent(problem -> problems.putIfAbsent(log, problem)));
    }

    @Override
    public List<String> problems() {
        return problems.entrySet().stream()
                .map(entry ->
                        "%s of %s %s: how much figures vary within repeats is not, or not fully, in its intervals."
                                .formatted(
                                        side.folder()
                                                .map(folder -> folder.relativize(entry.getKey()))
                                                .orElse(entry.getKey()),
                                        side.name(),
                                        entry.getValue()))
                .toList();
    }

    private void add(final Set<String> latencies, final IntervalLog.Interval interval) {
        final String written = interval.tag().latency();
        final String latency = latencies.contains(written) ? written : ThreadNames.ofAll(written);
        blocks.computeIfAbsent(
                        new Key(latency, interval.tag().repeat()),
                        _ -> new IntervalBins(BLOCK_MS, MOST))
                .add(interval);
    }
}
