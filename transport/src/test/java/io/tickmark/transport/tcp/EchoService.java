package io.tickmark.transport.tcp;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A plain byte echo over TCP (RFC 862) for one client: it knows nothing of frames. */
final class EchoService implements AutoCloseable {
    private final ServerSocket server;
    private final Thread thread = new Thread(this::echo);

    EchoService() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        thread.start();
    }

    int port() {
        return server.getLocalPort();
    }

    private void echo() {
        try (Socket client = server.accept()) {
            final InputStream in = client.getInputStream();
            final OutputStream out = client.getOutputStream();
            final byte[] some = new byte[7];
            for (int count = in.read(some); count >= 0; count = in.read(some)) {
                out.write(some, 0, count);
            }
        } catch (final IOException e) {
            if (!server.isClosed()) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
