package io.tickmark.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Whether the machine kept threads from its cores while something ran, and so was the reason why
 * that shows nothing: a thread of this process tells how late it was at most, the kernel how long
 * threads of the processes that it started waited for a core, and the roles of a run have noted
 * when theirs were stalled.
 */
final class MachineWatch implements AutoCloseable {
    /** Longer than these tests stop a role on purpose, and than a collection takes. */
    private static final long LONG_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);
    private static final String STALL = "stall,";
    private static final int BEGIN = 3;
    private static final int END = 4;

    /** Those that have seen nothing yet, for all of which one thread looks; also its lock. */
    private static final Set<MachineWatch> OPEN = new HashSet<>();

    private static boolean isLooking;

    private final long sinceNs = System.nanoTime();
    private volatile boolean hasStood;

    /** Watches until it is closed. */
    MachineWatch() {
        synchronized (OPEN) {
            OPEN.add(this);
            if (!isLooking) {
                isLooking = true;
                Thread.ofPlatform().daemon().name("machine-watch").start(MachineWatch::watch);
            }
        }
    }

    private static void watch() {
        Map<Path, Long> waitedNs = Map.of();
        long lookedNs = System.nanoTime();
        long lastNs = lookedNs;
        while (isWanted()) {
            LockSupport.parkNanos(PERIOD_NS);
            final long nowNs = System.nanoTime();
            if (nowNs - lastNs > LONG_NS) {
                stood(lastNs);
            }
            if (nowNs - lookedNs > LOOK_NS) {
                final Map<Path, Long> before = waitedNs;
                waitedNs = waitedNs();
                if (waitedNs.entrySet().stream()
                        .anyMatch(thread ->
                                thread.getValue()
                                                - before.getOrDefault(
                                                        thread.getKey(), thread.getValue())
                                        > LONG_NS)) {
                    stood(lookedNs);
                }
                lookedNs = nowNs;
            }
            lastNs = System.nanoTime();
        }
    }

    private static boolean isWanted() {
        synchronized (OPEN) {
            isLooking = !OPEN.isEmpty();
            return isLooking;
        }
    }

    /** Tells those that have watched since then. */
    private static void stood(final long beginNs) {
        synchronized (OPEN) {
            OPEN.removeIf(watch -> {
                watch.hasStood = watch.sinceNs - beginNs <= 0;
                return watch.hasStood;
            });
        }
    }

    /**
     * How long each thread has waited for a core, the second figure of schedstat; one that was
     * stopped on purpose does not wait.
     */
    private static Map<Path, Long> waitedNs() {
        final Map<Path, Long> waitedNs = new HashMap<>();
        ProcessHandle.current().descendants().forEach(each -> look(each.pid(), waitedNs));
        return waitedNs;
    }

    private static void look(final long pid, final Map<Path, Long> waitedNs) {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            for (final Path thread : threads.toList()) {
                final String[] figures =
                        Files.readString(thread.resolve("schedstat")).split(" ", 3);
                waitedNs.put(thread, Long.parseLong(figures[1]));
            }
        } catch (final IOException | UncheckedIOException e) {
            // it has ended meanwhile
        }
    }

    /** Whether a process stood, or a thread of the roles whose run is in that folder. */
    boolean hasStood(final Path run) throws IOException {
        return hasStood || hasStalls(run);
    }

    /** In the files of the roles (docs/result-format.md), which are not there for every command. */
    private static boolean hasStalls(final Path run) throws IOException {
        if (Files.notExists(run)) {
            return false;
        }
        final List<Path> files;
        try (Stream<Path> all = Files.walk(run)) {
            files = all.filter(file -> file.endsWith("stalls.csv")).toList();
        }
        for (final Path file : files) {
            try (Stream<String> lines = Files.lines(file)) {
                if (lines.anyMatch(line -> line.startsWith(STALL) && isLong(line.split(",")))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isLong(final String[] stall) {
        return stall.length > END
                && Long.parseLong(stall[END]) - Long.parseLong(stall[BEGIN]) > LONG_NS;
    }

    @Override
    public void close() {
        synchronized (OPEN) {
            OPEN.remove(this);
        }
    }
}
