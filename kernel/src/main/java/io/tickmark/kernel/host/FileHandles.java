package io.tickmark.kernel.host;

import java.util.List;
import java.util.OptionalLong;

/** How many files and sockets this process may still open. */
public final class FileHandles {
    private FileHandles() {}

    /**
     * The limit ({@code ulimit -n}) less what is open. Any thread; it lists a folder of {@code
     * /proc}, so it is not for a hot one.
     *
     * @return the number; empty where there is no limit, or the system does not report it
     */
    public static OptionalLong free() {
        return free(HostFiles.ofThisHost());
    }

    static OptionalLong free(final HostFiles files) {
        final List<String> open = files.names("/proc/self/fd");
        return LimitFacts.openFiles(files).stream()
                .filter(limit -> !open.isEmpty())
                .map(limit -> Math.max(0, limit - open.size()))
                .findFirst();
    }
}
