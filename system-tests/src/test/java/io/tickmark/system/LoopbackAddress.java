package io.tickmark.system;

import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Addresses for commands that are started by hand and cannot tell each other a port: one of
 * 127.0.0.0/8 for each use, which nobody else on this machine binds, or a port of all addresses.
 */
final class LoopbackAddress {
    private static final AtomicInteger USED = new AtomicInteger();
    private static final int PORTS = 20_000;
    private static final int PORTS_OF_A_PROCESS = 64;

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

    /** One that is free now, and below those that systems give to connections by themselves. */
    static int freePort() throws IOException {
        for (int tried = 0; tried < PORTS; tried++) {
            final long process = ProcessHandle.current().pid() * PORTS_OF_A_PROCESS;
            final int port = 10_000 + (int) ((process + USED.incrementAndGet()) % PORTS);
            try (ServerSocket free = new ServerSocket(port)) {
                return free.getLocalPort();
            } catch (final BindException e) {
                continue; // somebody's
            }
        }
        throw new AssertionError("no port is free");
    }
}
