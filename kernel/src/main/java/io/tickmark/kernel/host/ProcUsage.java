package io.tickmark.kernel.host;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Usage of this process from two small files (proc(5)) that stay open; read by hand into one buffer
 * because a general library takes longer than all else that happens once a second. Single thread.
 */
final class ProcUsage implements ProcessUsage {
    private static final int SC_CLK_TCK = 2;
    private static final int SC_PAGESIZE = 30;
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
                sysconf(SC_CLK_TCK, USUAL_TICKS_PER_SECOND),
                sysconf(SC_PAGESIZE, USUAL_PAGE_BYTES));
    }

    /** Where there are no such files, nothing is known: -1. */
    static ProcessUsage open(final Path folder, final long ticksPerSecond, final long pageBytes) {
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
        // the name may hold spaces and brackets of its own: numbers begin after the last bracket
        while (at >= 0 && buffer[at] != ')') {
            at--;
        }
        if (at >= 0) {
            final int utimeAt = field(at + 2, UTIME_FIELD, length);
            final int stimeAt = field(utimeAt, 1, length);
            final long ticks = number(utimeAt, length) + number(stimeAt, length);
            cpuNs = Math.max(cpuNs, ticks * tickNs);
        }
        return cpuNs;
    }

    @Override
    public long residentBytes() {
        final int length = read(statm);
        if (length > 0) {
            residentBytes = number(field(0, RESIDENT_FIELD, length), length) * pageBytes;
        }
        return residentBytes;
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
            return 0; // the figures of the last good reading stand
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

    private static long sysconf(final int name, final long usual) {
        return Libc.find("sysconf", FunctionDescriptor.of(JAVA_LONG, JAVA_INT))
                .map(handle -> call(handle, name))
                .filter(value -> value > 0)
                .orElse(usual);
    }

    private static long call(final MethodHandle sysconf, final int name) {
        try {
            return (long) sysconf.invokeExact(name);
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
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
