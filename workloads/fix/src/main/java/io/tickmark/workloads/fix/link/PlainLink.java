package io.tickmark.workloads.fix.link;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A plain socket. */
public final class PlainLink implements Link {
    private final SocketChannel channel;

    /**
     * A link.
     *
     * @param channel connected and non-blocking
     */
    public PlainLink(final SocketChannel channel) {
        this.channel = channel;
    }

    @Override
    public int read(final ByteBuffer into) throws IOException {
        return channel.read(into);
    }

    @Override
    public void write(final ByteBuffer from) throws IOException {
        channel.write(from);
    }

    @Override
    public boolean isWaiting() {
        return false;
    }

    @Override
    public SocketChannel channel() {
        return channel;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (final IOException e) {
            // it is gone either way
        }
    }
}
