package io.tickmark.engines.kafka;

import io.tickmark.transport.HostPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;

/**
 * The brokers that the binding side of a plain channel starts: the same for all its topics, ended
 * with the last of them, data deleted. Any thread.
 */
final class OwnBroker implements AutoCloseable {
    private static final Map<String, OwnBroker> RUNNING = new HashMap<>();

    private final List<Broker> brokers;
    private final Path folder;
    private int users = 1;

    private OwnBroker(final List<Broker> brokers, final Path folder) {
        this.brokers = brokers;
        this.folder = folder;
    }

    /** Starts them at a channel's address, or shares those that this process runs there. */
    static OwnBroker at(final KafkaChannel channel) {
        synchronized (RUNNING) {
            final OwnBroker running = RUNNING.get(channel.address().authority());
            if (running != null) {
                running.users++;
                return running;
            }
            final OwnBroker started = start(channel);
            RUNNING.put(started.key(), started);
            return started;
        }
    }

    private String key() {
        return brokers.getFirst().address().authority();
    }

    private static OwnBroker start(final KafkaChannel channel) {
        final Path folder = temporary();
        final List<Broker> brokers = Broker.of(channel, channel.parameters().members(), folder);
        final OwnBroker own = new OwnBroker(brokers, folder);
        try {
            brokers.forEach(broker -> broker.start(brokers));
            brokers.forEach(Broker::awaitReady);
            return own;
        } catch (final RuntimeException e) {
            own.end();
            throw e;
        }
    }

    private static Path temporary() {
        try {
            return Files.createTempDirectory("tickmark-kafka-");
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The channel as it is reached here. */
    KafkaChannel resolved(final KafkaChannel channel) {
        final List<HostPort> addresses = brokers.stream().map(Broker::address).toList();
        return channel.startedAt(addresses);
    }

    /** To be called once by each who asked for it. */
    @Override
    public void close() {
        synchronized (RUNNING) {
            if (--users == 0) {
                RUNNING.remove(key());
                end();
            }
        }
    }

    /** Its data is worth nothing any more, so nothing is ended in good order. */
    private void end() {
        brokers.forEach(Broker::kill);
        CloseHelper.closeAll(brokers);
        IoUtil.delete(folder.toFile(), true);
    }
}
