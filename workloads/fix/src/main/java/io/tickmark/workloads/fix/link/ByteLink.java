package io.tickmark.workloads.fix.link;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A byte stream over a non-blocking socket. Single-threaded. */
public interface ByteLink extends AutoCloseable {
    /**
     * Reads available bytes.
     *
     * @param into to be read up to its position afterwards
     * @return bytes, 0 for none now, -1 at the end
     * @throws IOException if the connection is lost or breaks its protocol
     */
    int read(ByteBuffer into) throws IOException;

    /**
     * Writes as much as the socket accepts.
     *
     * @param from its position advances past what was written
     * @throws IOException if the connection is lost
     */
    void write(ByteBuffer from) throws IOException;

    /**
     * Whether accepted bytes still wait for the socket: then a write without new bytes is required
     * once it is writable again.
     *
     * @return true if so
     */
    boolean isWaiting();

    /**
     * The socket.
     *
     * @return the channel
     */
    SocketChannel channel();

    /** Closes the socket; idempotent, does not throw. */
    @Override
    void close();
}
