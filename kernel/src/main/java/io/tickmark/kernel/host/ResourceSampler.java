package io.tickmark.kernel.host;

import io.tickmark.kernel.record.ResourceSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;

/**
 * Processor time and resident memory of this process over a trial. Any thread; never the hot one,
 * as each reading is a system call or two.
 */
public final class ResourceSampler implements ResourceSource, AutoCloseable {
    /** The kernel counts in ticks of 10 ms: over less than ten of them a percentage says little. */
    private static final long SHORTEST_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final NanoClock clock;
    private final ProcessUsage usage;
    private long beginNs;
    private long beginCpuNs;
    private long lastNs;
    private long lastCpuNs;
    private double lastPercent;
    private Range cpuPercent;
    private Range residentBytes;

    /**
     * Samples this process, from now on.
     *
     * @param clock monotonic
     */
    public ResourceSampler(final NanoClock clock) {
        this(clock, ProcUsage.ofThisProcess());
    }

    ResourceSampler(final NanoClock clock, final ProcessUsage usage) {
        this.clock = clock;
        this.usage = usage;
        begin();
    }

    /** Begins a trial: forgets what was sampled. */
    public synchronized void begin() {
        beginNs = clock.nanoTime();
        beginCpuNs = usage.cpuNs();
        lastNs = beginNs;
        lastCpuNs = beginCpuNs;
        lastPercent = 0;
        cpuPercent = new Range();
        residentBytes = new Range();
    }

    /** {@inheritDoc} A call within 100 ms of the one before repeats its figure. */
    @Override
    public synchronized double cpuPercent() {
        final long nowNs = clock.nanoTime();
        if (nowNs - lastNs >= SHORTEST_INTERVAL_NS) {
            final long nowCpuNs = usage.cpuNs();
            lastPercent = percent(nowCpuNs - lastCpuNs, nowNs - lastNs);
            lastNs = nowNs;
            lastCpuNs = nowCpuNs;
            cpuPercent.add(lastPercent);
        }
        return lastCpuNs < 0 ? Double.NaN : lastPercent;
    }

    @Override
    public synchronized long residentBytes() {
        final long bytes = usage.residentBytes();
        residentBytes.add(bytes);
        return bytes;
    }

    /**
     * The trial's figures up to now; takes one more sample. The mean of the processor time is over
     * the whole trial, minimum and maximum are those of the intervals between calls. What the
     * system does not tell is absent.
     *
     * @return {@code cpuPercentMin}, {@code cpuPercentMean}, {@code cpuPercentMax}, {@code
     *     residentBytesMin}, {@code residentBytesMean}, {@code residentBytesMax}
     */
    public synchronized Map<String, Object> metrics() {
        cpuPercent();
        residentBytes();
        final Map<String, Object> metrics = new LinkedHashMap<>();
        final long nowCpuNs = usage.cpuNs();
        if (nowCpuNs >= 0) {
            final long overNs = Math.max(1, clock.nanoTime() - beginNs);
            final double mean = percent(nowCpuNs - beginCpuNs, overNs);
            metrics.put("cpuPercentMin", cpuPercent.count == 0 ? mean : cpuPercent.min);
            metrics.put("cpuPercentMean", mean);
            metrics.put("cpuPercentMax", cpuPercent.count == 0 ? mean : cpuPercent.max);
        }
        if (residentBytes.min >= 0) {
            metrics.put("residentBytesMin", (long) residentBytes.min);
            metrics.put("residentBytesMean", (long) (residentBytes.sum / residentBytes.count));
            metrics.put("residentBytesMax", (long) residentBytes.max);
        }
        return metrics;
    }

    @Override
    public synchronized void close() {
        usage.close();
    }

    /** To a tenth: the ticks allow no more. */
    private static double percent(final long cpuNs, final long overNs) {
        return Math.round(1000.0 * cpuNs / overNs) / 10.0;
    }

    private static final class Range {
        private long count;
        private double min = Double.POSITIVE_INFINITY;
        private double max = Double.NEGATIVE_INFINITY;
        private double sum;

        void add(final double value) {
            count++;
            min = Math.min(min, value);
            max = Math.max(max, value);
            sum += value;
        }
    }
}
