package io.tickmark.kernel.stall;

import io.tickmark.kernel.settings.IoReason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * When those threads of the process ran that are not watched, and on which core: compilers,
 * collectors, the reporter, threads of an engine's client. What the kernel dates of them names what
 * had the core of a watched thread, without the right that {@code --explain} needs: as of its
 * watched threads, every user may see the switches of these. One role of a host also asks for the
 * threads of the process that started it, which is the bench's. Not thread-safe.
 */
final class OtherThreads implements AutoCloseable {
    private static final Path TASKS = Path.of("/proc/self/task");

    /** Some 800 records, for those that work beside the hot threads all the time. */
    private static final int PAGES_OF_BUSY = 8;

    /** Some 200 between two rounds of the reporter. */
    private static final int PAGES = 2;

    private static final List<String> BUSY = List.of("C1_", "C2_", "reporter");

    private static final int MOST_THREADS = 64;

    /** The name of all threads of the process that started this one: of the bench. */
    private static final String CONTROLLER = "controller";

    /** Most of a trial, so that its files stay readable. */
    private static final int MOST = 1 << 17;

    /** The shortest stall is twice as long. */
    private static final long SHORTEST_NS = 5_000;

    private static final long LOOK_EVERY_NS = 500_000_000;

    /** Threads of this process that are watched, by number. */
    private static final Set<Integer> WATCHED = ConcurrentHashMap.newKeySet();

    /** Those that a recording of this process has here: two roles may share a process. */
    private static final Set<Integer> DATED = ConcurrentHashMap.newKeySet();

    /** A time in which a thread ran on a core. */
    record Ran(int thread, long beginNs, long endNs, int core) {}

    private final class Other implements PerfRing.Records {
        private final int number;
        private final PerfRing ring;
        private long sinceNs;
        private int core;

        Other(final int number, final PerfRing ring) {
            this.number = number;
            this.ring = ring;
        }

        @Override
        public void on(final int type, final int misc, final ByteBuffer record) {
            if (type == PerfRing.LOST) {
                lost += record.getLong(record.position() + 8);
                sinceNs = 0;
            } else if (type == PerfRing.SWITCH) {
                final int trailer = record.limit() - PerfRing.TRAILER_BYTES;
                final long timeNs = record.getLong(trailer + 8);
                if ((misc & PerfRing.LEAVES) == 0) {
                    sinceNs = timeNs;
                    core = record.getInt(trailer + 16);
                } else {
                    if (sinceNs != 0 && timeNs - sinceNs >= SHORTEST_NS) {
                        add(new Ran(number, sinceNs, timeNs, core));
                    }
                    sinceNs = 0;
                }
            }
        }
    }

    private final List<Path> folders;
    private final Set<Integer> watched = new HashSet<>();
    private final Map<Integer, Other> others = new LinkedHashMap<>();
    private final Map<Integer, String> names = new LinkedHashMap<>();
    private final List<Ran> ran = new ArrayList<>();
    private long lookedNs = Long.MIN_VALUE;
    private int taken;
    private long lost;
    private String refused = "";

    /** The controller's threads may be refused where those of this process are not. */
    private boolean isOwnRefused;

    /**
     * None is dated yet.
     *
     * @param withController whether the threads of the process that started this one are dated too
     */
    OtherThreads(final boolean withController) {
        folders =
                Stream.concat(
                                Stream.of(TASKS),
                                ProcessHandle.current()
                                        .parent()
                                        .filter(_ -> withController)
                                        .map(parent -> Path.of("/proc/" + parent.pid() + "/task"))
                                        .stream())
                        .toList();
    }

    /** The calling thread is watched from now on, and none of the others. */
    void watchesThisThread() {
        final int thread = thisThread();
        if (thread != 0) {
            WATCHED.add(thread);
            watched.add(thread);
        }
    }

    /** The number of the calling thread; 0 where the kernel does not say. */
    private static int thisThread() {
        try {
            // /proc/PID/task/TID
            return Integer.parseInt(
                    Path.of("/proc/thread-self").toRealPath().getFileName().toString());
        } catch (final IOException | NumberFormatException e) {
            return 0; // it counts as one of the others, which only names it twice
        }
    }

    /**
     * Reads what the kernel has dated since the last call, and looks for new threads twice a second
     * at most.
     *
     * @param nowNs any clock that does not go back
     */
    void drain(final long nowNs) {
        if (lookedNs == Long.MIN_VALUE || nowNs - lookedNs >= LOOK_EVERY_NS) {
            lookedNs = nowNs;
            look();
        }
        others.values().forEach(other -> other.ring.drain(other));
    }

    private void look() {
        final Set<Integer> gone = new HashSet<>(others.keySet());
        for (final Path folder : folders) {
            try (DirectoryStream<Path> tasks = Files.newDirectoryStream(folder)) {
                for (final Path task : tasks) {
                    final int thread = Integer.parseInt(task.getFileName().toString());
                    if (!WATCHED.contains(thread)) {
                        gone.remove(thread);
                        date(thread, task);
                    }
                }
            } catch (final DirectoryIteratorException e) {
                refused = refused.isEmpty() ? folder + ": " + IoReason.of(e.getCause()) : refused;
            } catch (final IOException e) {
                refused = refused.isEmpty() ? folder + ": " + IoReason.of(e) : refused;
            }
        }
        final Iterator<Other> each = others.values().iterator();
        while (each.hasNext()) {
            final Other other = each.next();
            if (gone.contains(other.number)) {
                other.ring.drain(other);
                close(other);
                each.remove();
            }
        }
    }

    private void date(final int thread, final Path task) {
        final boolean isOwn = task.startsWith(TASKS);
        if ((isOwn ? isOwnRefused : !refused.isEmpty()) || others.containsKey(thread)) {
            return;
        }
        if (others.size() == MOST_THREADS) {
            isOwnRefused |= isOwn;
            refused =
                    "there are more than %d%s"
                            .formatted(
                                    MOST_THREADS,
                                    folders.size() > 1 ? ", the controller's among them" : "");
            return;
        }
        if (!DATED.add(thread)) {
            return; // another role of this process dates it
        }
        try {
            final String name =
                    isOwn
                            ? CoreTrace.plain(Files.readString(task.resolve("comm")).strip())
                            : CONTROLLER;
            final int pages = BUSY.stream().anyMatch(name::startsWith) ? PAGES_OF_BUSY : PAGES;
            others.put(thread, new Other(thread, PerfRing.ofThread(thread, pages)));
            names.put(thread, name);
        } catch (final IOException e) {
            DATED.remove(thread); // it has ended meanwhile
        } catch (final PerfRing.Refused e) {
            DATED.remove(thread);
            if (Files.exists(task)) {
                isOwnRefused |= isOwn;
                refused = e.getMessage();
            }
        }
    }

    private void add(final Ran more) {
        if (taken < MOST) {
            taken++;
            ran.add(more);
        } else {
            lost++;
        }
    }

    /** Names by number, of those that have got one since the last call. */
    Map<Integer, String> names() {
        final Map<Integer, String> all = new LinkedHashMap<>(names);
        names.clear();
        return all;
    }

    /** When they ran, since the last call. */
    List<Ran> ran() {
        final List<Ran> all = List.copyOf(ran);
        ran.clear();
        return all;
    }

    /** Records that were lost, or not taken because there were too many. */
    long lost() {
        return lost;
    }

    /** Why some of them are not dated, a clause; empty where all are. */
    String refused() {
        return refused;
    }

    private static void close(final Other other) {
        other.ring.close();
        DATED.remove(other.number);
    }

    @Override
    public void close() {
        WATCHED.removeAll(watched);
        others.values().forEach(OtherThreads::close);
        others.clear();
    }
}
