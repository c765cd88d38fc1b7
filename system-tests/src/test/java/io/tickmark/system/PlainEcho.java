package io.tickmark.system;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** An echo service (RFC 862) that knows nothing of tickmark, until it is closed. */
public final class PlainEcho implements AutoCloseable {
    private static final int LONGEST_DATAGRAM = 65_536;

    /** More than a second of what tests send: this thread may get no core for a while. */
    private static final int RECEIVE_BYTES = 2 << 20;

    private static final int LONGEST_READ = 16_384;

    /** What it could have sent back meanwhile, and may still. */
    private static final long CREDIT_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final AutoCloseable socket;
    private final int port;

    private PlainEcho(final AutoCloseable socket, final int port, final Loop loop) {
        this.socket = socket;
        this.port = port;
        Thread.ofPlatform()
                .daemon()
                .name("echo")
                .start(() -> {
                    try {
                        loop.run();
                    } catch (final IOException e) {
                        return; // closed
                    }
                });
    }

    @FunctionalInterface
    private interface Loop {
        void run() throws IOException;
    }

    /** Lets one thread send back no more than so many in a second. */
    private static final class Pace {
        private final long perSecond;
        private long dueNs = System.nanoTime();

        Pace(final long perSecond) {
            this.perSecond = perSecond;
        }

        void waitAfter(final int many) {
            final long nowNs = System.nanoTime();
            dueNs = Math.max(dueNs, nowNs - CREDIT_NS) + (long) (1e9 * many / perSecond);
            LockSupport.parkNanos(dueNs - nowNs);
        }
    }

    static PlainEcho udp() throws IOException {
        return udp(0, Long.MAX_VALUE);
    }

    /** One whose knee is soon found: it sends back no more datagrams than that in a second. */
    public static PlainEcho udp(final int onPort, final long perSecond) throws IOException {
        final DatagramSocket socket =
                new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), onPort));
        socket.setReceiveBufferSize(RECEIVE_BYTES);
        return new PlainEcho(
                socket,
                socket.getLocalPort(),
                () -> {
                    final byte[] buffer = new byte[LONGEST_DATAGRAM];
                    final Pace pace = new Pace(perSecond);
                    while (true) {
                        final DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
                        socket.receive(packet);
                        socket.send(packet);
                        pace.waitAfter(1);
                    }
                });
    }

    static PlainEcho tcp() throws IOException {
        return tcp(Long.MAX_VALUE);
    }

    /** One whose knee is soon found: it sends back no more than that in a second. */
    static PlainEcho tcp(final long bytesPerSecond) throws IOException {
        final ServerSocket socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        return new PlainEcho(
                socket,
                socket.getLocalPort(),
                () -> {
                    while (true) {
                        final Socket peer = socket.accept();
                        Thread.ofPlatform()
                                .daemon()
                                .name("echo-peer")
                                .start(() -> echo(peer, bytesPerSecond));
                    }
                });
    }

    private static void echo(final Socket peer, final long bytesPerSecond) {
        try (peer;
                InputStream in = peer.getInputStream()) {
            peer.setTcpNoDelay(true);
            final byte[] buffer = new byte[LONGEST_READ];
            final Pace pace = new Pace(bytesPerSecond);
            for (int bytes = in.read(buffer); bytes >= 0; bytes = in.read(buffer)) {
                peer.getOutputStream().write(buffer, 0, bytes);
                pace.waitAfter(bytes);
            }
        } catch (final IOException e) {
            return; // the other side is gone
        }
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        } catch (final Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
