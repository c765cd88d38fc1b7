package io.tickmark.workloads.market.measure;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.host.ResourceSampler;
import io.tickmark.kernel.role.RoleContext;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SystemEpochClock;

/**
 * The thread that collects statistics from the connections' threads and writes them, as the main
 * thread of the tools of this field does. Connections hand over one row for each interval.
 *
 * @param <R> a row
 */
public abstract class StatisticsThread<R> implements AutoCloseable {
    private static final long LOOK_MS = 50;
    private static final long JOIN_MS = 5_000;
    private static final DateTimeFormatter UTC =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);

    private final RoleContext context;
    private final RunSettings run;
    private final Queue<R> rows = new ConcurrentLinkedQueue<>();
    private final List<LatencyFile> latencyFiles = new ArrayList<>();
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final ResourceSampler resources;
    private final UsageRange cpu = new UsageRange();
    private final UsageRange memory = new UsageRange();
    private final long epochMinusClockMs;
    private Thread thread;
    private double cpuPercent;
    private double memoryMb;

    /**
     * A thread that is not started.
     *
     * @param context of the role
     * @param run its core, and whether it tells the user
     */
    protected StatisticsThread(final RoleContext context, final RunSettings run) {
        this.context = context;
        this.run = run;
        resources = new ResourceSampler(context.clock());
        epochMinusClockMs =
                SystemEpochClock.INSTANCE.time()
                        - TimeUnit.NANOSECONDS.toMillis(context.clock().nanoTime());
    }

    /**
     * Where connections put their rows.
     *
     * @return a queue for any thread
     */
    public Queue<R> rows() {
        return rows;
    }

    /**
     * A file of each latency of one connection.
     *
     * @param file that it is written to
     * @return takes latencies; nothing where the file is not wanted
     */
    protected EachLatency eachLatency(final OutputFile file) {
        if (!file.isWanted()) {
            return EachLatency.NONE;
        }
        final LatencyFile created = new LatencyFile(file);
        latencyFiles.add(created);
        return created;
    }

    /** Starts to collect. */
    public void start() {
        thread = Thread.ofPlatform().daemon().name("statistics").start(this::collect);
    }

    private void collect() {
        if (run.mainThread() >= 0) {
            Affinity.pin(run.mainThread()).ifPresent(context::tell);
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
        latencyFiles.forEach(LatencyFile::drain);
        if (rows.isEmpty()) {
            return;
        }
        cpuPercent = resources.cpuPercent();
        memoryMb = resources.residentBytes() / (double) (1 << 20);
        cpu.add(cpuPercent);
        memory.add(memoryMb);
        for (R row = rows.poll(); row != null; row = rows.poll()) {
            take(row);
        }
    }

    /**
     * Writes a row.
     *
     * @param row of one connection and interval
     */
    protected abstract void take(R row);

    /** Stops the thread and writes what is left. */
    protected void stop() {
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

    /**
     * Tells the user a line of statistics, unless he wants none.
     *
     * @param line without a line end
     */
    protected void tell(final String line) {
        if (!run.noDisplayStats()) {
            context.tell(line);
        }
    }

    /**
     * Processor time of this process in the interval.
     *
     * @return per cent of one core
     */
    protected double cpuPercent() {
        return cpuPercent;
    }

    /**
     * Resident memory of this process.
     *
     * @return MB of 2^20 bytes
     */
    protected double memoryMb() {
        return memoryMb;
    }

    /**
     * Lines of a summary about processor and memory.
     *
     * @return text with line ends
     */
    protected String usageLines() {
        return cpu.lines("CPU Usage", "%") + memory.lines("Memory Usage", "MB");
    }

    /**
     * How often processor and memory were looked at.
     *
     * @return the count
     */
    protected long usageSamples() {
        return cpu.count();
    }

    /**
     * A date as the files have it.
     *
     * @param clockNs time on the measuring clock
     * @return UTC, to the second
     */
    protected String utc(final long clockNs) {
        return UTC.format(
                Instant.ofEpochMilli(epochMinusClockMs + TimeUnit.NANOSECONDS.toMillis(clockNs)));
    }

    /**
     * What the files lack.
     *
     * @return sentences
     */
    protected List<String> latencyWarnings() {
        return latencyFiles.stream()
                .filter(file -> file.notWritten() > 0)
                .map(file ->
                        ("A latency file lacks %d latencies, which came faster than they could be "
                                        + "written; the histograms have all.")
                                .formatted(file.notWritten()))
                .toList();
    }

    @Override
    public void close() {
        stop();
        resources.close();
    }
}
