package io.tickmark.engines.kafka;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.StoreServer;
import java.util.UUID;

/**
 * Topics at brokers that somebody else runs: under a prefix of their own, and deleted at the end.
 * Their disks cannot be looked at from here, and they are not killed.
 */
final class GivenStore implements StoreServer {
    private final KafkaChannel channel;
    private boolean started;

    GivenStore(final KafkaChannel channel) {
        this.channel = channel.apart("tickmark-" + UUID.randomUUID().toString().substring(0, 8));
    }

    @Override
    public void start() {
        Clients.requireAnswer(channel);
        try (Topics topics = new Topics(channel)) {
            topics.requireBrokers(members());
            started = true;
        }
    }

    @Override
    public ChannelUri endpoint() {
        return channel.uri();
    }

    @Override
    public int members() {
        return channel.parameters().members();
    }

    @Override
    public void kill(final int member) {
        throw notOurs("killed");
    }

    @Override
    public void restart(final int member) {
        throw notOurs("restarted");
    }

    private UserError notOurs(final String what) {
        return UserError.usage(
                "--channel %s: the broker was not started here, so it cannot be %s; write kafka: for one of our own."
                        .formatted(channel.uri(), what));
    }

    @Override
    public Verification verify(final Topic topic) {
        return new Verification(KafkaStore.count(channel, topic), 0, 0);
    }

    @Override
    public long readBack(final Topic topic, final long fromOrdinal, final MessageHandler handler) {
        return KafkaStore.readThroughBrokers(channel, topic, fromOrdinal, handler);
    }

    /** Deletes its topics, and no other. */
    @Override
    public void close() {
        if (started) {
            started = false;
            try (Topics topics = new Topics(channel)) {
                topics.deleteAll(channel.parameters().prefix() + ".");
            }
        }
    }
}
