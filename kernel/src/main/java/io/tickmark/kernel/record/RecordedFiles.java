package io.tickmark.kernel.record;

import io.tickmark.kernel.result.Counts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All that a role's reporter writes; does nothing where no folder is given. Thread-safe. */
final class RecordedFiles {
    private final Recorders recorders;
    private final RecordingOptions options;
    private final WallTime wallTime;
    private final Optional<RoleFolder> folder;
    private Optional<HistogramFile> histograms = Optional.empty();
    private Optional<StatsFile> stats = Optional.empty();
    private Optional<EachLatencyFile> eachLatency = Optional.empty();

    RecordedFiles(final Recorders recorders, final RecordingOptions options) {
        this.recorders = recorders;
        this.options = options;
        this.wallTime = new WallTime(options.clock(), options.wallClock());
        this.folder = options.directory().map(RoleFolder::new);
    }

    /** Writes every interval that is waiting. */
    synchronized void write(final ResourceSample resources) {
        for (Optional<Interval> next = recorders.takePending();
                next.isPresent();
                next = recorders.takePending()) {
            final Interval interval = next.get();
            folder.ifPresent(present -> write(present, interval, resources));
            recorders.recycle(interval);
        }
        histograms.ifPresent(HistogramFile::flush);
        drainLogs();
    }

    private void write(
            final RoleFolder present, final Interval interval, final ResourceSample resources) {
        if (present.hasFailed()) {
            return;
        }
        open(present, interval.startNs());
        stats.get().write(interval, resources);
        histograms.get().write(interval);
    }

    private void open(final RoleFolder present, final long nowNs) {
        if (stats.isEmpty()) {
            stats = Optional.of(new StatsFile(present, wallTime, options.repeat()));
            histograms = Optional.of(new HistogramFile(present, wallTime, options.repeat(), nowNs));
        }
    }

    /** Moves the logs of each latency on to their file. */
    synchronized void drainLogs() {
        final List<LatencyLog> logs = recorders.logs();
        if (logs.isEmpty() || folder.isEmpty()) {
            return;
        }
        if (eachLatency.isEmpty()) {
            eachLatency = Optional.of(new EachLatencyFile(folder.get(), options.repeat()));
        }
        logs.forEach(eachLatency.get()::drain);
        eachLatency.get().flush();
    }

    synchronized List<String> warnings() {
        final List<String> warnings = new ArrayList<>();
        folder.flatMap(RoleFolder::failure).ifPresent(warnings::add);
        final long lost =
                recorders.logs().stream().mapToLong(LatencyLog::notLogged).sum()
                        + eachLatency.map(EachLatencyFile::notWritten).orElse(0L);
        if (lost > 0) {
            warnings.add(
                    "%s lacks %d latencies, which came faster than they could be written (%s); the histograms have all."
                            .formatted(RoleFiles.EACH_LATENCY, lost, Counts.NOT_LOGGED));
        }
        return warnings;
    }

    /** A role without a step leaves both files all the same: one that is missing was lost. */
    synchronized void close() {
        folder.ifPresent(present -> open(present, options.clock().nanoTime()));
        histograms.ifPresent(HistogramFile::close);
        stats.ifPresent(StatsFile::close);
        eachLatency.ifPresent(EachLatencyFile::close);
    }
}
