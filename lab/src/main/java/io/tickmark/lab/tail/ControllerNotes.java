package io.tickmark.lab.tail;

import io.tickmark.kernel.record.RoleFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the controller notes of a role beside what the role notes itself, in the same folder and by
 * its own clock: {@link RoleFiles#CONTROLLER}. A process that is stopped cannot say who stopped it.
 */
public final class ControllerNotes {
    private static final String STOPPED = "stopped";
    private static final String CORES = "cores";

    /** A time in which a planned fault had stopped the role's process. */
    record Stop(long fromNs, long toNs) {}

    /**
     * What the roles of a host share.
     *
     * @param hotThreads planned there
     * @param cores that those may use
     */
    record Cores(long hotThreads, long cores) {}

    private final List<Stop> stops = new ArrayList<>();
    private Optional<Cores> cores = Optional.empty();

    private ControllerNotes() {}

    /**
     * Notes that a planned fault had stopped the role's process.
     *
     * @param folder of the role in the result
     * @param repeat of the trial
     * @param fromNs before the stop was sent, by the controller's clock
     * @param toNs after it was told to continue
     * @throws IOException if it cannot be written
     */
    public static void stopped(
            final Path folder, final int repeat, final long fromNs, final long toNs)
            throws IOException {
        add(folder, STOPPED, repeat, fromNs, toNs);
    }

    /**
     * Notes how many cores the role's host has, where there are several hosts.
     *
     * @param folder of the role in the result
     * @param repeat of the trial
     * @param hotThreads planned on that host
     * @param cores that those may use
     * @throws IOException if it cannot be written
     */
    public static void cores(
            final Path folder, final int repeat, final int hotThreads, final int cores)
            throws IOException {
        add(folder, CORES, repeat, hotThreads, cores);
    }

    private static void add(
            final Path folder,
            final String kind,
            final int repeat,
            final long first,
            final long second)
            throws IOException {
        Files.writeString(
                folder.resolve(RoleFiles.CONTROLLER),
                kind + ',' + repeat + ',' + first + ',' + second + '\n',
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    /** Of one repeat; nothing where the controller noted nothing. */
    static ControllerNotes of(final Path folder, final int repeat) throws IOException {
        final ControllerNotes notes = new ControllerNotes();
        final Path file = folder.resolve(RoleFiles.CONTROLLER);
        if (Files.exists(file)) {
            for (final String line : Files.readAllLines(file)) {
                final String[] cells = line.split(",", -1);
                if (Integer.parseInt(cells[1]) == repeat) {
                    notes.take(cells[0], Long.parseLong(cells[2]), Long.parseLong(cells[3]));
                }
            }
        }
        return notes;
    }

    private void take(final String kind, final long first, final long second) {
        switch (kind) {
            case STOPPED -> stops.add(new Stop(first, second));
            case CORES -> cores = Optional.of(new Cores(first, second));
            default -> throw new IllegalArgumentException(kind);
        }
    }

    /** When planned faults had stopped its process. */
    List<Stop> stops() {
        return stops;
    }

    /** Of its host; empty where all roles are on one, whose cores are in the row. */
    Optional<Cores> cores() {
        return cores;
    }
}
