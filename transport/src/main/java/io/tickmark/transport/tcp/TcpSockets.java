package io.tickmark.transport.tcp;

import io.tickmark.kernel.host.Libc;
import io.tickmark.kernel.host.NetworkLink;
import io.tickmark.transport.KernelStamps;
import io.tickmark.transport.socket.KernelTimes;
import io.tickmark.transport.socket.SocketCalls;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Options of stream sockets. */
final class TcpSockets {
    private TcpSockets() {}

    static void prepare(final SocketChannel socket, final TcpTransport.Parameters parameters)
            throws IOException {
        socket.configureBlocking(false);
        socket.setOption(StandardSocketOptions.TCP_NODELAY, parameters.noDelay());
        if (parameters.sendBufferBytes() > 0) {
            socket.setOption(StandardSocketOptions.SO_SNDBUF, parameters.sendBufferBytes());
        }
        if (parameters.receiveBufferBytes() > 0) {
            socket.setOption(StandardSocketOptions.SO_RCVBUF, parameters.receiveBufferBytes());
        }
    }

    /** Whether this system's kernel stamps what stream sockets send and receive. */
    static KernelStamps kernelStamps() {
        try (SocketChannel socket = SocketChannel.open()) {
            final OptionalInt fd = Descriptors.of(socket);
            if (fd.isEmpty()) {
                return KernelStamps.missing(
                        "this JVM does not expose the file descriptors of its sockets"
                                + " (--add-opens=java.base/sun.nio.ch=ALL-UNNAMED does)");
            }
            final int refusal = KernelTimes.askLater(new SocketCalls(), fd.getAsInt());
            return refusal == 0
                    ? KernelStamps.KEPT
                    : KernelStamps.missing(
                            "the kernel refuses to stamp TCP (" + Libc.errorText(refusal) + ")");
        } catch (final IOException e) {
            return KernelStamps.missing("no socket can be opened (" + e.getMessage() + ")");
        }
    }

    /** Those of a connected socket that has sent nothing; empty where the kernel refuses. */
    static Optional<KernelTimes> kernelTimes(final SocketChannel socket) {
        final SocketCalls calls = new SocketCalls();
        final OptionalInt fd = Descriptors.of(socket);
        return fd.isPresent() && KernelTimes.ask(calls, fd.getAsInt()) == 0
                ? Optional.of(new KernelTimes(calls, fd.getAsInt()))
                : Optional.empty();
    }

    /** What stamps the messages of a connection; empty where its device is not known. */
    static Optional<String> stampedBy(final SocketChannel socket) {
        final OptionalInt fd = Descriptors.of(socket);
        return fd.isEmpty()
                ? Optional.empty()
                : Optional.ofNullable(socket.socket().getInetAddress())
                        .flatMap(NetworkLink::towards)
                        .map(link -> KernelTimes.stampedBy(fd.getAsInt(), link.name()));
    }

    static Map<String, Object> facts(final SocketChannel socket) {
        try {
            return Map.of(
                    "noDelay", socket.getOption(StandardSocketOptions.TCP_NODELAY),
                    "sendBufferBytes", socket.getOption(StandardSocketOptions.SO_SNDBUF),
                    "receiveBufferBytes", socket.getOption(StandardSocketOptions.SO_RCVBUF));
        } catch (final IOException e) {
            // Closed by the other side meanwhile: nothing to report.
            return Map.of();
        }
    }

    /** The descriptors of the JDK's sockets, for calls that the JDK does not make. */
    public static final class Descriptors {
        private Descriptors() {}

        /**
         * The descriptor of a socket, valid until the channel is closed.
         *
         * @param socket of the JDK
         * @return empty where this JVM does not show it ({@code --add-opens java.base/sun.nio.ch})
         */
        public static OptionalInt of(final SocketChannel socket) {
            try {
                final Method method = Class.forName("sun.nio.ch.SelChImpl").getMethod("getFDVal");
                method.setAccessible(true);
                return OptionalInt.of((int) method.invoke(socket));
            } catch (final ReflectiveOperationException | RuntimeException e) {
                return OptionalInt.empty();
            }
        }
    }
}
