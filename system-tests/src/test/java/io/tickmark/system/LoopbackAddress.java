package io.tickmark.system;

import io.tickmark.kernel.host.FreePort;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Addresses for commands that are started by hand and cannot exchange a port: one of 127.0.0.0/8
 * for each use, which no other process on this machine binds, or a port of all addresses.
 */
final class LoopbackAddress {
    private static final AtomicInteger USED = new AtomicInteger();

    private LoopbackAddress() {}

    /** Host and port; below the ports that systems choose by themselves. */
    static String next() {
        final long pid = ProcessHandle.current().pid();
        return "127.%d.%d.%d:%d"
                .formatted(
                        1 + (pid >> 14) % 250,
                        1 + (pid >> 7) % 128,
                        1 + pid % 128,
                        7101 + USED.incrementAndGet());
    }

    static int freePort() throws IOException {
        return FreePort.tcp();
    }
}
