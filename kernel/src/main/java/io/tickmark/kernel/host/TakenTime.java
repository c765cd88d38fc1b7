package io.tickmark.kernel.host;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/** For how long this process's cores were not to be had, as the kernel counts it. Any thread. */
public final class TakenTime {
    private static final long NS_PER_TICK = 10_000_000;
    private static final int STOLEN = 8;

    private TakenTime() {}

    /**
     * For how long a quota has kept tasks of this process's control group, or of one above it, from
     * their cores.
     *
     * @return ns since the group was made, all cores added up; empty where there is no such count
     */
    public static OptionalLong throttledNs() {
        return LimitFacts.throttledNs(HostFiles.ofThisHost());
    }

    /**
     * For how long the hypervisor had each core although it had something to run: the column {@code
     * steal} of /proc/stat, proc(5), which counts in hundredths of a second.
     *
     * @return ns since the machine started, by the number of the core; empty where nothing was
     *     stolen, or the kernel does not say
     */
    public static long[] stolenNs() {
        return stolenNs(HostFiles.ofThisHost());
    }

    static long[] stolenNs(final HostFiles files) {
        final long[] stolen =
                files.text("/proc/stat")
                        .orElse("")
                        .lines()
                        .filter(line -> line.startsWith("cpu") && !line.startsWith("cpu "))
                        .map(line -> line.split(" "))
                        .filter(columns -> columns.length > STOLEN)
                        .map(columns -> HostFiles.leadingNumber(columns[STOLEN]))
                        .filter(Predicate.not(Optional::isEmpty))
                        .mapToLong(ticks -> ticks.get() * NS_PER_TICK)
                        .toArray();
        return LongStream.of(stolen).sum() == 0 ? new long[0] : stolen;
    }
}
