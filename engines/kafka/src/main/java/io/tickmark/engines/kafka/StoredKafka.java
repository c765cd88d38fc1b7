package io.tickmark.engines.kafka;

import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Topic;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerStoreTransport.Source;
import io.tickmark.transport.broker.BrokerStoreTransport.StoredFiles;
import io.tickmark.transport.broker.BrokerStoreTransport.StoredTopics;
import io.tickmark.transport.store.Deletion;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaException;

/** The stored topics of a channel; offsets are the ordinals. */
record StoredKafka(BrokerChannel<KafkaParameters> channel) implements StoredTopics {
    private static final Duration SILENCE = Duration.ofSeconds(10);
    private static final long AT_A_TIME_NS = 100_000_000;

    private String name(final Topic topic) {
        return KafkaTransport.storedName(channel, topic);
    }

    /** Where a broker keeps its segments. */
    static Path data(final Path memberFolder) {
        return memberFolder.resolve("data");
    }

    @Override
    public void awaitReady(final Runnable requireMajority) {
        Clients.requireAnswer(channel);
        try (Topics topics = new Topics(channel)) {
            if (channel.startsServers()) {
                topics.awaitAll();
            } else {
                topics.requireBrokers(channel.parameters().members());
            }
        }
    }

    @Override
    public long count(final Topic topic) {
        try (Topics topics = new Topics(channel)) {
            topics.ensure(name(topic));
            return topics.offset(name(topic), OffsetSpec.latest())
                    - topics.offset(name(topic), OffsetSpec.earliest());
        }
    }

    @Override
    public long read(final Topic topic, final long fromOrdinal, final MessageHandler handler) {
        try (Topics topics = new Topics(channel)) {
            topics.ensure(name(topic));
            final long first =
                    Math.max(fromOrdinal, topics.offset(name(topic), OffsetSpec.earliest()));
            final long end = topics.offset(name(topic), OffsetSpec.latest());
            try (KafkaReader reader = new KafkaReader(channel, name(topic), first)) {
                return read(reader, first, end, handler);
            }
        } catch (final KafkaException e) {
            throw Clients.refused(channel, e);
        }
    }

    private long read(
            final KafkaReader reader,
            final long first,
            final long end,
            final MessageHandler handler) {
        final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
        long count = 0;
        long sinceNs = SystemNanoClock.INSTANCE.nanoTime();
        while (first < end && reader.offset() < end - 1) {
            reader.await(AT_A_TIME_NS);
            final byte[] value = reader.next();
            final long nowNs = SystemNanoClock.INSTANCE.nanoTime();
            if (value != null) {
                buffer.wrap(value);
                handler.onMessage(buffer, 0, value.length);
                count++;
                sinceNs = nowNs;
            } else if (nowNs - sinceNs > SILENCE.toNanos()) {
                throw channel.failed(
                        "the broker delivered nothing for %d s after message %d of %d"
                                .formatted(SILENCE.toSeconds(), reader.offset(), end),
                        null);
            }
        }
        return count;
    }

    /** Topics of this channel, and no other. */
    @Override
    public void deleteAll() {
        try (Topics topics = new Topics(channel)) {
            topics.deleteAll(channel.parameters().broker().prefix() + ".");
        }
    }

    /** Deleted messages stay in a segment until all of its messages are deleted. */
    @Override
    public Source source() {
        return channel.parameters().deletion() == Deletion.ACKNOWLEDGED
                ? Source.SERVERS_OR_FILES
                : Source.FILES;
    }

    /**
     * Other members may have a tail that was never acknowledged, and lack acknowledged messages.
     */
    @Override
    public OptionalInt leader(final Topic topic) {
        try (Topics topics = new Topics(channel)) {
            return OptionalInt.of(topics.leader(name(topic)));
        }
    }

    @Override
    public StoredFiles files(final Path folder, final Topic topic) {
        return new LogFiles(data(folder), name(topic));
    }
}
