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

/** An echo service (RFC 862) that knows nothing of tickmark, until it is closed. */
final class PlainEcho implements AutoCloseable {
    private static final int LONGEST_DATAGRAM = 65_536;

    /** More than a second of what tests send: this thread may get no core for a while. */
    private static final int RECEIVE_BYTES = 2 << 20;

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

    static PlainEcho udp() throws IOException {
        final DatagramSocket socket =
                new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        socket.setReceiveBufferSize(RECEIVE_BYTES);
        return new PlainEcho(
                socket,
                socket.getLocalPort(),
                () -> {
                    final byte[] buffer = new byte[LONGEST_DATAGRAM];
                    while (true) {
                        final DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
                        socket.receive(packet);
                        socket.send(packet);
                    }
                });
    }

    static PlainEcho tcp() throws IOException {
        final ServerSocket socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        return new PlainEcho(
                socket,
                socket.getLocalPort(),
                () -> {
                    while (true) {
                        final Socket peer = socket.accept();
                        Thread.ofPlatform().daemon().name("echo-peer").start(() -> echo(peer));
                    }
                });
    }

    private static void echo(final Socket peer) {
        try (peer;
                InputStream in = peer.getInputStream()) {
            peer.setTcpNoDelay(true);
            in.transferTo(peer.getOutputStream());
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
