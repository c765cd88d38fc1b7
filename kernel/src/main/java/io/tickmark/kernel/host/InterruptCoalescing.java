package io.tickmark.kernel.host;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * How long a network card waits for more packets before it interrupts: the ioctl behind {@code
 * ethtool -c} (linux/ethtool.h: {@code SIOCETHTOOL}, {@code ETHTOOL_GCOALESCE}).
 */
final class InterruptCoalescing {
    private static final long SIOCETHTOOL = 0x8946;
    private static final int GET_COALESCE = 0x0e;
    private static final int COALESCE_BYTES = 23 * Integer.BYTES;
    private static final int RECEIVE_US = Integer.BYTES;
    private static final int IFREQ_BYTES = 40;
    private static final int NAME_BYTES = 16;
    private static final int INET = 2;
    private static final int DATAGRAM = 2;

    private static final Optional<MethodHandle> SOCKET =
            Libc.find(
                    "socket",
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT));
    private static final Optional<MethodHandle> CLOSE =
            Libc.find("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    private static final Optional<MethodHandle> IOCTL =
            Libc.find(
                    "ioctl",
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.ADDRESS),
                    Linker.Option.firstVariadicArg(2));

    private InterruptCoalescing() {}

    /** Microseconds that the card waits on receiving; empty where it cannot tell. */
    static Optional<Long> receiveUs(final String networkInterface) {
        final byte[] name = networkInterface.getBytes(StandardCharsets.US_ASCII);
        if (SOCKET.isEmpty() || CLOSE.isEmpty() || IOCTL.isEmpty() || name.length >= NAME_BYTES) {
            return Optional.empty();
        }
        try (Arena arena = Arena.ofConfined()) {
            final int socket = (int) SOCKET.get().invokeExact(INET, DATAGRAM, 0);
            if (socket < 0) {
                return Optional.empty();
            }
            try {
                return receiveUs(arena, socket, name);
            } finally {
                final int _ = (int) CLOSE.get().invokeExact(socket);
            }
        } catch (final Throwable e) {
            throw Libc.unexpected(e);
        }
    }

    private static Optional<Long> receiveUs(final Arena arena, final int socket, final byte[] name)
            throws Throwable {
        final MemorySegment coalesce = arena.allocate(COALESCE_BYTES, Long.BYTES);
        coalesce.set(ValueLayout.JAVA_INT, 0, GET_COALESCE);
        final MemorySegment request = arena.allocate(IFREQ_BYTES, Long.BYTES);
        MemorySegment.copy(name, 0, request, ValueLayout.JAVA_BYTE, 0, name.length);
        request.set(ValueLayout.ADDRESS, NAME_BYTES, coalesce);
        final int failed = (int) IOCTL.get().invokeExact(socket, SIOCETHTOOL, request);
        return failed < 0
                ? Optional.empty()
                : Optional.of((long) coalesce.get(ValueLayout.JAVA_INT, RECEIVE_US));
    }
}
