package io.tickmark.engines.dds;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * How the kernel schedules the library's threads, read from /proc (proc(5)): they are the ones that
 * carry the library's names.
 */
final class ThreadPriorities {
    private static final List<String> NAMES = List.of("recv", "dq.", "tev", "gc", "lease");
    private static final int SCHED_OTHER = 0;

    /** Fields of /proc/PID/task/TID/stat counted from the one after the name. */
    private static final int NICE_FIELD = 19 - 3;

    private static final int RT_PRIORITY_FIELD = 40 - 3;
    private static final int POLICY_FIELD = 41 - 3;

    private ThreadPriorities() {}

    /** Such as {@code recv: time sharing, nice 0}; empty where it cannot be read. */
    static String priorities() {
        final TreeSet<String> found = new TreeSet<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (final Path task : tasks) {
                final List<String> fields = fields(task);
                if (!fields.isEmpty()) {
                    found.add(text(fields));
                }
            }
        } catch (final IOException e) {
            return "";
        }
        return String.join(", ", found);
    }

    /** Name, then the fields after it; empty for other threads and those that just ended. */
    private static List<String> fields(final Path task) {
        try {
            final String line = Files.readString(task.resolve("stat"));
            final int end = line.lastIndexOf(')');
            final String name = line.substring(line.indexOf('(') + 1, end);
            if (NAMES.stream().noneMatch(name::startsWith)) {
                return List.of();
            }
            final List<String> fields = new ArrayList<>(List.of(name));
            fields.addAll(List.of(line.substring(end + 2).split(" ")));
            return fields;
        } catch (final IOException e) {
            return List.of();
        }
    }

    private static String text(final List<String> fields) {
        final int policy = Integer.parseInt(fields.get(1 + POLICY_FIELD));
        return fields.getFirst()
                + (policy == SCHED_OTHER
                        ? " time sharing, nice " + fields.get(1 + NICE_FIELD)
                        : " real time, priority " + fields.get(1 + RT_PRIORITY_FIELD));
    }
}
