package io.tickmark.engines.kafka;

import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Topic;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerStoreTransport.Source;
import io.tickmark.transport.broker.BrokerStoreTransport.StoredFiles;
import io.tickmark.transport.broker.BrokerStoreTransport.StoredTopics;
import io.tickmark.transport.store.Deletion;
import java.nio.file.Path;
import java.util.OptionalInt;
import org.apache.kafka.clients.admin.OffsetSpec;

/** The stored topics of a channel; offsets are the ordinals. */
record StoredKafka(BrokerChannel<KafkaParameters> channel) implements StoredTopics {
    private String name(final Topic topic) {
        return KafkaTransport.storedName(channel, topic);
    }

    /** Where a broker keeps its segments. */
    static Path data(final Path memberFolder) {
        return memberFolder.resolve("data");
    }

    @Override
    public void awaitReady(final Runnable requireMajority) {
        Topics.ask(
                channel,
                topics -> {
                    if (channel.startsServers()) {
                        topics.awaitAll();
                    } else {
                        topics.requireBrokers(channel.parameters().members());
                    }
                    return 0;
                });
    }

    @Override
    public long count(final Topic topic) {
        final Kept kept = kept(topic);
        return kept.end() - kept.first();
    }

    /** Offsets of the first message that is not deleted, and of the next one to come. */
    private record Kept(long first, long end) {}

    private Kept kept(final Topic topic) {
        final String name = name(topic);
        return Topics.ask(
                channel,
                name,
                topics ->
                        new Kept(
                                topics.offset(name, OffsetSpec.earliest()),
                                topics.offset(name, OffsetSpec.latest())));
    }

    @Override
    public long read(final Topic topic, final long fromOrdinal, final MessageHandler handler) {
        final Kept kept = kept(topic);
        final long first = Math.max(fromOrdinal, kept.first());
        try (KafkaDurableSubscription reader =
                KafkaDurableSubscription.open(channel, name(topic), first)) {
            return StoredTopics.readUpTo(reader, first, kept.end(), handler);
        }
    }

    /** The partition's log start offset. */
    @Override
    public long firstOrdinal(final Topic topic) {
        return kept(topic).first();
    }

    /** Topics of this channel, and no other. */
    @Override
    public void deleteAll() {
        Topics.ask(
                channel,
                topics -> {
                    topics.deleteAll(channel.parameters().broker().prefix() + ".");
                    return 0;
                });
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
        final String name = name(topic);
        return OptionalInt.of(Topics.ask(channel, name, topics -> topics.leader(name)));
    }

    @Override
    public StoredFiles files(final Path folder, final Topic topic) {
        return new LogFiles(data(folder), name(topic));
    }
}
