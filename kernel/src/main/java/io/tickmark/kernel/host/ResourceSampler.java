package io.tickmark.kernel.host;

import io.tickmark.kernel.record.ResourceSource;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;

/**
 * Processor time and resident memory of this process over a trial. Any thread; never a hot thread,
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
    private long failedBefore;
    private Range cpuPercent;
    private Range residentBytes;

    /**
     * Starts sampling this process.
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

    /** Begins a trial: discards earlier samples. */
    public synchronized void begin() {
        beginNs = clock.nanoTime();
        beginCpuNs = usage.cpuNs();
        lastNs = beginNs;
        lastCpuNs = beginCpuNs;
        lastPercent = 0;
        failedBefore = usage.failedReadings();
        cpuPercent = new Range();
        residentBytes = new Range();
    }

    /** {@inheritDoc} A call within 100 ms of the one before returns the same figure. */
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
     * The trial's figures up to now; takes one more sample. A reading that failed repeats the
     * figure before it, and is counted. The mean of the processor time is over the whole trial,
     * minimum and maximum are those of the intervals between calls. Values that the system does not
     * report are absent.
     *
     * @return {@code cpuPercentMin}, {@code cpuPercentMean}, {@code cpuPercentMax}, {@code
     *     residentBytesMin}, {@code residentBytesMean}, {@code residentBytesMax}; where some
     *     readings failed also {@code failedResourceReadings}
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
        final long failed = usage.failedReadings() - failedBefore;
        if (failed > 0) {
            metrics.put("failedResourceReadings", failed);
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

    /**
     * Usage of this process from two small files (proc(5)) that stay open; read by hand into one
     * buffer because a general library takes longer than everything else that happens once a
     * second. Single-threaded.
     */
    static final class ProcUsage implements ProcessUsage {
        private static final long AT_PAGESZ = 6;
        private static final long AT_CLKTCK = 17;
        private static final long USUAL_TICKS_PER_SECOND = 100;
        private static final long USUAL_PAGE_BYTES = 4096;

        /** Counted in numbers after the name: utime is field 14 of the file, the name field 2. */
        private static final int UTIME_FIELD = 11;

        private static final int RESIDENT_FIELD = 1;

        private final byte[] buffer = new byte[1024];
        private final RandomAccessFile stat;
        private final RandomAccessFile statm;
        private final long tickNs;
        private final long pageBytes;
        private long cpuNs;
        private long residentBytes;
        private long failedReadings;

        private ProcUsage(
                final RandomAccessFile stat,
                final RandomAccessFile statm,
                final long ticksPerSecond,
                final long pageBytes) {
            this.stat = stat;
            this.statm = statm;
            this.tickNs = TimeUnit.SECONDS.toNanos(1) / ticksPerSecond;
            this.pageBytes = pageBytes;
        }

        static ProcessUsage ofThisProcess() {
            return open(
                    Path.of("/proc/self"),
                    told(AT_CLKTCK, USUAL_TICKS_PER_SECOND),
                    told(AT_PAGESZ, USUAL_PAGE_BYTES));
        }

        /** Where there are no such files, nothing is known: -1. */
        static ProcessUsage open(
                final Path folder, final long ticksPerSecond, final long pageBytes) {
            try {
                final RandomAccessFile stat =
                        new RandomAccessFile(folder.resolve("stat").toFile(), "r");
                try {
                    final RandomAccessFile statm =
                            new RandomAccessFile(folder.resolve("statm").toFile(), "r");
                    return new ProcUsage(stat, statm, ticksPerSecond, pageBytes);
                } catch (final FileNotFoundException e) {
                    close(stat);
                    return new Unknown();
                }
            } catch (final FileNotFoundException e) {
                return new Unknown();
            }
        }

        @Override
        public long cpuNs() {
            final int length = read(stat);
            int at = length - 1;
            // the name may hold spaces and brackets of its own: numbers begin after the last
            // bracket
            while (at >= 0 && buffer[at] != ')') {
                at--;
            }
            if (at >= 0) {
                final int utimeAt = field(at + 2, UTIME_FIELD, length);
                final int stimeAt = field(utimeAt, 1, length);
                final long ticks = number(utimeAt, length) + number(stimeAt, length);
                cpuNs = Math.max(cpuNs, ticks * tickNs);
            } else {
                failedReadings++;
            }
            return cpuNs;
        }

        @Override
        public long residentBytes() {
            final int length = read(statm);
            if (length > 0) {
                residentBytes = number(field(0, RESIDENT_FIELD, length), length) * pageBytes;
            } else {
                failedReadings++;
            }
            return residentBytes;
        }

        @Override
        public long failedReadings() {
            return failedReadings;
        }

        @Override
        public void close() {
            close(stat);
            close(statm);
        }

        private int read(final RandomAccessFile file) {
            try {
                file.seek(0);
                return file.read(buffer);
            } catch (final IOException e) {
                return 0; // the caller keeps the figures of the last good reading, and counts this
            }
        }

        private int field(final int from, final int skip, final int length) {
            int at = from;
            for (int i = 0; i < skip && at < length; i++) {
                while (at < length && buffer[at] != ' ') {
                    at++;
                }
                at++;
            }
            return at;
        }

        private long number(final int from, final int length) {
            long number = 0;
            for (int at = from; at < length && buffer[at] >= '0' && buffer[at] <= '9'; at++) {
                number = number * 10 + (buffer[at] - '0');
            }
            return number;
        }

        private static void close(final RandomAccessFile file) {
            try {
                file.close();
            } catch (final IOException e) {
                // a file opened for reading has nothing left to lose
            }
        }

        /**
         * What the kernel told this process when it started, getauxval(3): pairs of a key and a
         * value, longs of the machine. To link a call of sysconf(3) would take longer.
         */
        private static long told(final long key, final long usual) {
            try {
                final ByteBuffer pairs =
                        ByteBuffer.wrap(Files.readAllBytes(Path.of("/proc/self/auxv")))
                                .order(ByteOrder.nativeOrder());
                while (pairs.remaining() >= 2 * Long.BYTES) {
                    final boolean isIt = pairs.getLong() == key;
                    final long value = pairs.getLong();
                    if (isIt && value > 0) {
                        return value;
                    }
                }
            } catch (final IOException e) {
                return usual; // no such file here: the values that nearly every system has
            }
            return usual;
        }

        private record Unknown() implements ProcessUsage {
            @Override
            public long cpuNs() {
                return -1;
            }

            @Override
            public long residentBytes() {
                return -1;
            }

            @Override
            public void close() {
                // nothing is open
            }
        }
    }

    /** Raw readings of a process's resource usage. */
    interface ProcessUsage extends AutoCloseable {
        /**
         * Processor time since the process began, user and system, all threads, in ns; -1 where
         * unknown.
         */
        long cpuNs();

        /** Memory in RAM now; -1 where unknown. */
        long residentBytes();

        /** Readings that failed, where the figure before was repeated. */
        default long failedReadings() {
            return 0;
        }

        @Override
        void close();
    }
}
