package io.tickmark.engines.dds;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.tickmark.kernel.host.Libc;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Buffer sizes of the library's sockets, asked of the kernel: those of this process that are bound
 * to a port of the domain (RTPS 2.5, 9.6.2.3), and the one it sends by.
 */
final class Sockets {
    private static final int SOL_SOCKET = 1;
    private static final int SO_SNDBUF = 7;
    private static final int SO_RCVBUF = 8;
    private static final int SOCKADDR_BYTES = 28;
    private static final int PORT_OFFSET = 2;
    private static final int FIRST_PORT = 7400;
    private static final int PORTS_OF_DOMAIN = 250;

    /** The kernel doubles what is asked for, for its own book-keeping (socket(7)). */
    private static final int KERNEL_FACTOR = 2;

    private static final Optional<MethodHandle> GETSOCKNAME =
            Libc.find("getsockname", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    private static final Optional<MethodHandle> GETSOCKOPT =
            Libc.find(
                    "getsockopt",
                    FunctionDescriptor.of(
                            JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));

    private Sockets() {}

    /** Adds the largest receive and send buffer of the domain's sockets, where they can be seen. */
    static void addFacts(final int domain, final Map<String, Object> facts) {
        if (GETSOCKNAME.isEmpty() || GETSOCKOPT.isEmpty()) {
            return;
        }
        int receive = 0;
        int send = 0;
        try (Arena arena = Arena.ofConfined();
                DirectoryStream<Path> open = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (final Path entry : open) {
                final int descriptor = Integer.parseInt(entry.getFileName().toString());
                if (isOfDomain(descriptor, domain, arena)) {
                    receive = Math.max(receive, option(descriptor, SO_RCVBUF, arena));
                    send = Math.max(send, option(descriptor, SO_SNDBUF, arena));
                }
            }
        } catch (final IOException e) {
            return;
        }
        if (receive > 0) {
            facts.put("sendBufferBytes", send / KERNEL_FACTOR);
            facts.put("receiveBufferBytes", receive / KERNEL_FACTOR);
        }
    }

    private static boolean isOfDomain(final int descriptor, final int domain, final Arena arena) {
        final MemorySegment address = arena.allocate(SOCKADDR_BYTES, Long.BYTES);
        final MemorySegment length = arena.allocateFrom(JAVA_INT, SOCKADDR_BYTES);
        try {
            if ((int) GETSOCKNAME.get().invokeExact(descriptor, address, length) != 0) {
                return false;
            }
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
        final int port =
                Short.toUnsignedInt(Short.reverseBytes(address.get(JAVA_SHORT, PORT_OFFSET)));
        final int first = FIRST_PORT + PORTS_OF_DOMAIN * domain;
        return port >= first && port < first + PORTS_OF_DOMAIN;
    }

    private static int option(final int descriptor, final int name, final Arena arena) {
        final MemorySegment value = arena.allocate(JAVA_INT);
        final MemorySegment length = arena.allocateFrom(JAVA_INT, Integer.BYTES);
        try {
            return (int) GETSOCKOPT.get().invokeExact(descriptor, SOL_SOCKET, name, value, length)
                            == 0
                    ? value.get(JAVA_INT, 0)
                    : 0;
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }
}
