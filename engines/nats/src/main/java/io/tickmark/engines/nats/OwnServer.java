package io.tickmark.engines.nats;

import io.tickmark.transport.HostPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.IoUtil;

/**
 * The server that the binding side of a plain channel starts: one for all its topics, ended with
 * the last of them. Any thread.
 */
final class OwnServer implements AutoCloseable {
    private static final Map<String, OwnServer> RUNNING = new HashMap<>();

    private final HostPort address;
    private final NatsServer server;
    private final Path folder;
    private int users = 1;

    private OwnServer(final HostPort address, final NatsServer server, final Path folder) {
        this.address = address;
        this.server = server;
        this.folder = folder;
    }

    /** Starts one at a channel's address, or shares the one that this process runs there. */
    static OwnServer at(final NatsChannel channel) {
        NatsServer.required(channel);
        synchronized (RUNNING) {
            final OwnServer running = RUNNING.get(channel.address().authority());
            if (running != null) {
                running.users++;
                return running;
            }
            final OwnServer started = start(channel);
            RUNNING.put(started.address.authority(), started);
            return started;
        }
    }

    private static OwnServer start(final NatsChannel channel) {
        final HostPort wanted = channel.address();
        final HostPort address =
                wanted.port() == 0
                        ? wanted.withPort(FreePorts.of(channel, wanted.address(), 1).getFirst())
                        : wanted;
        final Path folder = temporary();
        try {
            return new OwnServer(address, NatsServer.start(channel, address, folder, ""), folder);
        } catch (final RuntimeException e) {
            IoUtil.delete(folder.toFile(), true);
            throw e;
        }
    }

    private static Path temporary() {
        try {
            return Files.createTempDirectory("tickmark-nats-");
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The channel as it is reached here. */
    NatsChannel resolved(final NatsChannel channel) {
        return channel.startedAt(List.of(address));
    }

    /** To be called once by each who asked for it. */
    @Override
    public void close() {
        synchronized (RUNNING) {
            if (--users == 0) {
                RUNNING.remove(address.authority());
                server.close();
                IoUtil.delete(folder.toFile(), true);
            }
        }
    }
}
