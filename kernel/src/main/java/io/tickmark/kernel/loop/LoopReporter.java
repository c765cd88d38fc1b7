package io.tickmark.kernel.loop;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.host.ResourceSampler;
import io.tickmark.kernel.role.RoleContext;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.agrona.concurrent.SystemEpochClock;

/**
 * The thread that takes a row from each loop at the end of each interval and writes it: a line of
 * the loop's statistics file and lines on the console; at the end the summary of each loop and of
 * all.
 *
 * @param <T> record of counts, see {@link Columns}
 */
public final class LoopReporter<T extends Record> implements AutoCloseable {
    private static final long LOOK_MS = 50;
    private static final long JOIN_MS = 5_000;
    private static final double SECOND_NS = 1e9;
    private static final DateTimeFormatter UTC =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);

    private final RoleContext context;
    private final Columns<T> columns;
    private final Options options;
    private final Function<LoopCounts.Row<T>, List<String>> notes;
    private final Queue<LoopCounts.Row<T>> rows = new ConcurrentLinkedQueue<>();
    private final OutputFile summary;
    private final List<OutputFile> statistics = new ArrayList<>();
    private final List<Writer> writers = new CopyOnWriteArrayList<>();
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final ResourceSampler resources;
    private final UsageRange cpu = new UsageRange("CPU Usage", "%");
    private final UsageRange memory = new UsageRange("Memory Usage", "MB");
    private final long epochMinusClockMs;
    private long sinceNs;
    private Thread thread;

    /**
     * Where and what the reporter writes.
     *
     * @param loops how many there are
     * @param summaryFile its summary; empty for none
     * @param statisticsFile their statistics, with the number of the loop and {@code .csv}
     *     appended; empty for none
     * @param core of its thread, -1 for any
     * @param isQuiet whether there are no lines on the console before the summary
     */
    public record Options(
            int loops, String summaryFile, String statisticsFile, int core, boolean isQuiet) {}

    /** Writes further output of a loop, on the collecting thread. */
    public interface Writer {
        /** Writes what is available. */
        void drain();

        /**
         * What is incomplete.
         *
         * @return sentences, after the last {@link #drain}
         */
        List<String> warnings();
    }

    /**
     * Part of a summary.
     *
     * @param <F> result of a loop
     */
    @FunctionalInterface
    public interface Section<F> {
        /**
         * Creates the text.
         *
         * @param of one loop or all of them
         * @param resources lines about processor and memory; empty for one loop of several
         * @return text with line ends
         */
        String text(List<F> of, String resources);
    }

    /**
     * Begins the files.
     *
     * @param context of the role
     * @param columns that the role declares
     * @param options where and what it writes
     * @param notes further console lines of the role after those of a row
     */
    public LoopReporter(
            final RoleContext context,
            final Columns<T> columns,
            final Options options,
            final Function<LoopCounts.Row<T>, List<String>> notes) {
        this.context = context;
        this.columns = columns;
        this.options = options;
        this.notes = notes;
        resources = new ResourceSampler(context.clock());
        sinceNs = context.clock().nanoTime();
        epochMinusClockMs =
                SystemEpochClock.INSTANCE.time() - TimeUnit.NANOSECONDS.toMillis(sinceNs);
        summary = OutputFile.create(context.directory(), options.summaryFile(), "");
        final List<String> headings = new ArrayList<>(List.of("UTC"));
        headings.addAll(columns.headings());
        headings.addAll(List.of("CPU usage (%)", "Memory (MB)"));
        for (int number = 1; number <= options.loops(); number++) {
            final OutputFile file =
                    OutputFile.create(
                            context.directory(), options.statisticsFile(), number + ".csv");
            file.append(String.join(", ", headings) + "\n");
            statistics.add(file);
        }
    }

    /**
     * Adds further output of a loop.
     *
     * @param writer called by the collecting thread
     */
    public void add(final Writer writer) {
        writers.add(writer);
    }

    /** Starts collecting; the time in the console lines counts from now. */
    public void start() {
        sinceNs = context.clock().nanoTime();
        thread = Thread.ofPlatform().daemon().name("statistics").start(this::collect);
    }

    /**
     * Where loops put their rows.
     *
     * @return a queue for any thread
     */
    public Queue<LoopCounts.Row<T>> rows() {
        return rows;
    }

    private void collect() {
        if (options.core() >= 0) {
            Affinity.pin(options.core()).ifPresent(context::log);
        } else {
            Affinity.unpin(); // it is started by a hot thread, whose core is not for it
        }
        try {
            while (!stopping.await(LOOK_MS, TimeUnit.MILLISECONDS)) {
                drain();
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void drain() {
        writers.forEach(Writer::drain);
        if (rows.isEmpty()) {
            return;
        }
        final double cpuPercent = resources.cpuPercent();
        final double memoryMb = resources.residentBytes() / (double) (1 << 20);
        cpu.add(cpuPercent);
        memory.add(memoryMb);
        for (LoopCounts.Row<T> row = rows.poll(); row != null; row = rows.poll()) {
            write(row, cpuPercent, memoryMb);
        }
    }

    private void write(
            final LoopCounts.Row<T> row, final double cpuPercent, final double memoryMb) {
        final List<String> cells = new ArrayList<>(List.of(utc(row.endNs())));
        cells.addAll(columns.cells(row.counts(), row.lengthNs()));
        cells.add(String.format(Locale.ROOT, "%.2f, %.2f\n", cpuPercent, memoryMb));
        statistics.get(row.number() - 1).append(String.join(", ", cells));
        if (options.isQuiet()) {
            return;
        }
        final List<String> counts = columns.consoleCounts(row.counts(), row.lengthNs());
        counts.add(String.format(Locale.ROOT, "CPU: %6.2f%%, Mem: %.2fMB", cpuPercent, memoryMb));
        context.log(
                String.format(
                        Locale.ROOT,
                        "%s%03d: %s",
                        options.loops() == 1 ? "" : "Thread " + row.number() + " ",
                        Math.round((row.endNs() - sinceNs) / SECOND_NS),
                        String.join(", ", counts)));
        columns.consoleLatencies(row.counts()).forEach(context::log);
        notes.apply(row).forEach(context::log);
    }

    private String utc(final long clockNs) {
        return UTC.format(
                Instant.ofEpochMilli(epochMinusClockMs + TimeUnit.NANOSECONDS.toMillis(clockNs)));
    }

    /**
     * Writes the remaining rows and the summary, and reports the results to the user.
     *
     * @param <F> result of a loop
     * @param inputs head of the summary
     * @param findings of all loops in order
     * @param section creates the text of one loop, and of all
     * @return what is missing in files, as sentences
     */
    public <F> List<String> finish(
            final SummaryInputs inputs, final List<F> findings, final Section<F> section) {
        stop();
        final String results = results(findings, section);
        summary.append(inputs.text() + results);
        results.lines().forEach(context::log);
        final List<String> warnings = new ArrayList<>();
        writers.forEach(each -> warnings.addAll(each.warnings()));
        warn(summary, warnings);
        statistics.forEach(each -> warn(each, warnings));
        return warnings;
    }

    private static void warn(final OutputFile file, final List<String> warnings) {
        if (!file.failure().isEmpty()) {
            warnings.add(file.failure());
        }
    }

    private <F> String results(final List<F> findings, final Section<F> section) {
        final StringBuilder text = new StringBuilder();
        if (findings.size() > 1) {
            for (int i = 0; i < findings.size(); i++) {
                text.append("--- THREAD %d SUMMARY ---\n\n".formatted(i + 1))
                        .append(section.text(List.of(findings.get(i)), ""));
            }
        }
        return text.append("--- OVERALL SUMMARY ---\n\n")
                .append(
                        section.text(
                                findings,
                                "  CPU/Memory samples: "
                                        + cpu.count
                                        + "\n"
                                        + cpu.lines()
                                        + memory.lines()))
                .toString();
    }

    private void stop() {
        stopping.countDown();
        try {
            if (thread != null) {
                thread.join(JOIN_MS);
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        drain();
    }

    @Override
    public void close() {
        stop();
        resources.close();
    }

    /** Smallest, largest and mean of samples. One thread at a time. */
    private static final class UsageRange {
        private final String what;
        private final String unit;
        private long count;
        private double sum;
        private double min = Double.POSITIVE_INFINITY;
        private double max = Double.NEGATIVE_INFINITY;

        UsageRange(final String what, final String unit) {
            this.what = what;
            this.unit = unit;
        }

        synchronized void add(final double value) {
            if (!Double.isNaN(value)) {
                count++;
                sum += value;
                min = Math.min(min, value);
                max = Math.max(max, value);
            }
        }

        synchronized String lines() {
            return count == 0 ? "" : line("max", max) + line("min", min) + line("avg", sum / count);
        }

        private String line(final String figure, final double value) {
            return String.format(Locale.ROOT, "  %s %s (%s): %.2f\n", what, figure, unit, value);
        }
    }
}
