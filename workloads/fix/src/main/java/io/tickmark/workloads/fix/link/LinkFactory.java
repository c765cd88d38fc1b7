package io.tickmark.workloads.fix.link;

import io.tickmark.workloads.fix.SessionOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Creates links of one kind. Any thread. */
public interface LinkFactory {
    /**
     * Creates a link.
     *
     * @param channel connected and non-blocking
     * @return the link
     * @throws IOException if encryption cannot begin
     */
    ByteLink link(SocketChannel channel) throws IOException;

    /**
     * Links for the accepting side.
     *
     * @param options of the sessions
     * @return plain ones, or with TLS
     */
    static LinkFactory server(final SessionOptions options) {
        return options.tls() ? Tls.server(options) : PlainLink::new;
    }

    /**
     * Links for the connecting side.
     *
     * @param options of the sessions
     * @return plain ones, or with TLS
     */
    static LinkFactory client(final SessionOptions options) {
        return options.tls() ? Tls.client(options) : PlainLink::new;
    }

    /** A plain socket. */
    final class PlainLink implements ByteLink {
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
}
