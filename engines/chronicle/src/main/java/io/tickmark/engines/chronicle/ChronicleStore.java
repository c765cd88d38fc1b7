package io.tickmark.engines.chronicle;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.StoreServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A folder of queues. The library runs within writers and readers, so the store has no separate
 * process: its single member is the keepalive by which they see whether it runs, and killing it makes
 * them stop where they are. The effect of a crashed writer is tested by killing the writer.
 */
final class ChronicleStore implements StoreServer {
    private final QueueAddress address;
    private Keepalive keepalive;

    ChronicleStore(final ChannelUri channel, final Path directory) {
        address = QueueAddress.of(QueueAddress.at(channel, directory.toAbsolutePath()));
    }

    @Override
    public void start() {
        try {
            if (!Files.isDirectory(address.folder())) {
                throw UserError.environment(
                        "the store's folder %s does not exist; restore it."
                                .formatted(address.folder()));
            }
            if (keepalive == null) {
                keepalive = new Keepalive(address.folder(), true);
            }
            keepalive.begin();
        } catch (final IOException e) {
            throw UserError.environment(
                    "the store's folder %s cannot be used (%s); check it, or give another one."
                            .formatted(address.folder(), IoReason.of(e)),
                    e);
        }
    }

    @Override
    public ChannelUri endpoint() {
        return address.channel();
    }

    @Override
    public int members() {
        return 1;
    }

    @Override
    public void kill(final int member) {
        if (keepalive != null) {
            keepalive.end();
        }
    }

    @Override
    public void restart(final int member) {
        start();
    }

    @Override
    public Verification verify(final Topic topic) {
        return new QueueFile(address.queue(topic)).verify();
    }

    @Override
    public long readBack(final Topic topic, final long fromOrdinal, final MessageHandler handler) {
        return new QueueFile(address.queue(topic)).read(fromOrdinal, handler);
    }

    @Override
    public void close() {
        if (keepalive != null) {
            keepalive.end();
            keepalive.close();
            keepalive = null;
        }
    }
}
