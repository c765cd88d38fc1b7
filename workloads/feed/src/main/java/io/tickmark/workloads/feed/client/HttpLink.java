package io.tickmark.workloads.feed.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A connection of a client: reads into the buffer shared by all connections of the thread, and
 * keeps only incomplete parts.
 */
final class HttpLink {
    private final SocketChannel channel;
    private final String headers;
    private byte[] rest = new byte[0];
    private int restLength;

    HttpLink(final ServerAddress server, final Selector selector, final Readable reader)
            throws IOException {
        final InetSocketAddress address = server.socketAddress();
        if (address.isUnresolved()) {
            throw new UnknownHostException("no host of that name is known");
        }
        channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.connect(address);
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ, reader);
        headers = server.headers();
    }

    /** Number of kept bytes: the next bytes are read after them. */
    int kept() {
        return restLength;
    }

    /** Reads after the kept bytes; returns the end of the bytes, -1 if the server has closed. */
    int read(final ReadBuffer shared) throws IOException {
        final ByteBuffer bytes = shared.bytes();
        bytes.clear().put(rest, 0, restLength);
        return channel.read(bytes) < 0 ? -1 : bytes.position();
    }

    /** Keeps a part of what was read. */
    void keep(final UnsafeBuffer buffer, final int from, final int to) {
        restLength = to - from;
        if (rest.length < restLength) {
            rest = new byte[restLength * 2];
        }
        buffer.getBytes(from, rest, 0, restLength);
    }

    /** Sends a request with further header lines, each with its end. */
    void request(final String method, final String path, final String more) throws IOException {
        write(
                ByteBuffer.wrap(
                        "%s %s HTTP/1.1\r\n%s%s\r\n"
                                .formatted(method, path, headers, more)
                                .getBytes(StandardCharsets.US_ASCII)));
    }

    /** Writes a few bytes; the socket buffer is empty unless the server is stalled. */
    void write(final ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining() && channel.write(bytes) > 0) {
            // until everything is written, or nothing more is accepted
        }
        if (bytes.hasRemaining()) {
            throw new IOException("the server reads nothing");
        }
    }

    void close() {
        try {
            channel.close();
        } catch (final IOException _) {
            // it is closing anyway
        }
    }
}
