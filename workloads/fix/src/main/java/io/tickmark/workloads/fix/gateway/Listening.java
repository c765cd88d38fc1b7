package io.tickmark.workloads.fix.gateway;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;

/** Listening sockets. */
final class Listening {
    /** Hundreds of clients come at once. */
    private static final int BACKLOG = 1024;

    private Listening() {}

    /** Listens, or says which option is to blame. */
    static ServerSocketChannel on(final String host, final int port, final String option) {
        final InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw UserError.usage(
                    "--bind %s: there is no such address on this host.".formatted(host));
        }
        try {
            final ServerSocketChannel channel = ServerSocketChannel.open();
            try {
                channel.bind(address, BACKLOG);
                channel.configureBlocking(false);
                return channel;
            } catch (final IOException e) {
                channel.close();
                throw e;
            }
        } catch (final IOException e) {
            throw UserError.environment(
                    "%s %d: cannot listen on %s (%s); give another port, or 0 for any."
                            .formatted(option, port, host, IoReason.of(e)),
                    e);
        }
    }

    static int port(final ServerSocketChannel channel) {
        try {
            return ((InetSocketAddress) channel.getLocalAddress()).getPort();
        } catch (final IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
