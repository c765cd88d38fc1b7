package io.tickmark.transport.shm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Identifies a process so that it is not mistaken for a later one with the same number. Allocates:
 * never on the hot path.
 *
 * @param id of the process
 * @param startTicks clock ticks from boot to its start (proc_pid_stat(5), field 22), 0 where
 *     unknown
 */
record ProcessIdentity(long id, long startTicks) {
    private static final int STATE_FIELD = 0;
    private static final int START_FIELD = 19;

    static ProcessIdentity current() {
        final long id = ProcessHandle.current().pid();
        return new ProcessIdentity(
                id, stat(id).map(fields -> Long.parseLong(fields[START_FIELD])).orElse(0L));
    }

    /** Whether it runs; a zombie does not. */
    boolean isAlive() {
        return stat(id).map(fields ->
                        !"ZX".contains(fields[STATE_FIELD])
                                && (startTicks == 0
                                        || startTicks == Long.parseLong(fields[START_FIELD])))
                .orElseGet(() ->
                        !Files.isReadable(Path.of("/proc/self/stat"))
                                && ProcessHandle.of(id).isPresent());
    }

    /** Fields from the third on: the second, the name in brackets, may itself contain blanks. */
    private static Optional<String[]> stat(final long id) {
        try {
            final String line = Files.readString(Path.of("/proc", Long.toString(id), "stat"));
            final String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
            return fields.length > START_FIELD ? Optional.of(fields) : Optional.empty();
        } catch (final IOException e) {
            // No such process, or a system without /proc.
            return Optional.empty();
        }
    }
}
