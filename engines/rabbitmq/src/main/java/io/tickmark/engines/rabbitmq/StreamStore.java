package io.tickmark.engines.rabbitmq;

import com.rabbitmq.stream.Consumer;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.Producer;
import com.rabbitmq.stream.StreamException;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Topic;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerStoreTransport.StoredFiles;
import io.tickmark.transport.broker.BrokerStoreTransport.StoredTopics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The streams of a channel that store topics: a server writes before it confirms. */
record StreamStore(BrokerChannel<StreamParameters> channel) implements StoredTopics {
    /** The first stream of a server of ours: its register. */
    private static final String FIRST = "tickmark-first";

    /** No name of a stream begins with it. */
    private static final String MARK = "=";

    private static final long REGISTERED_NS = 2_000_000_000L;
    private static final long SILENCE_SECONDS = 10;
    private static final long END_SECONDS = 2;

    static String name(final BrokerChannel<StreamParameters> channel, final Topic topic) {
        return "%s.%s.stored".formatted(channel.parameters().broker().prefix(), topic.name());
    }

    /**
     * The stream that lists the names of streams, which a server cannot be asked for: of all stored
     * ones at a server of ours, of this store's at one that we did not start.
     */
    private static String register(final BrokerChannel<StreamParameters> channel) {
        return channel.startsServers() ? FIRST : channel.parameters().broker().prefix() + ".stored";
    }

    /** Lists and creates a stream where it does not exist. */
    static void declare(
            final StreamClient client,
            final BrokerChannel<StreamParameters> channel,
            final String stream) {
        if (!client.exists(stream)) {
            client.declare(register(channel), false);
            try {
                publish(client, register(channel), stream);
            } catch (final StreamException e) {
                throw client.refused(
                        "the stream '%s' cannot be listed, so that it is not created"
                                .formatted(stream),
                        e);
            }
        }
        client.declare(stream, false);
    }

    /**
     * Returns once the server has confirmed it.
     *
     * @throws StreamException if it has not
     */
    private static void publish(
            final StreamClient client, final String stream, final String words) {
        final BlockingQueue<Boolean> confirmed = new LinkedBlockingQueue<>();
        try (Producer producer = StreamClient.patiently(client.producer(stream)::build)) {
            producer.send(
                    producer.messageBuilder()
                            .addData(words.getBytes(StandardCharsets.UTF_8))
                            .build(),
                    status -> confirmed.add(status.isConfirmed()));
            if (!Boolean.TRUE.equals(confirmed.poll(SILENCE_SECONDS, TimeUnit.SECONDS))) {
                throw new StreamException(
                        "the stream '%s' confirmed no entry within %d s"
                                .formatted(stream, SILENCE_SECONDS));
            }
        } catch (final InterruptedException e) {
            throw interrupted();
        }
    }

    private static StreamException interrupted() {
        Thread.currentThread().interrupt();
        return new StreamException("it was interrupted");
    }

    /**
     * A server of ours has its first stream two seconds before it is used: RabbitMQ 3.10 writes
     * where the log of all streams' leaders is a moment after that, and a server that is killed
     * before can neither serve nor create streams ever after. One that was killed is ready once it
     * has opened its streams, which cuts off their ends what it had not confirmed.
     */
    @Override
    public void awaitReady(final Runnable requireMajority) {
        try (StreamClient client = new StreamClient(channel)) {
            if (!channel.startsServers()) {
                return;
            }
            if (!client.exists(FIRST)) {
                client.declare(FIRST, false);
                LockSupport.parkNanos(REGISTERED_NS);
            }
            final Listed listed;
            try {
                listed = listed(client);
            } catch (final StreamException e) {
                throw client.refused("the streams that it has to open cannot be listed", e);
            }
            for (final String stream : listed.streams()) {
                requireMajority.run();
                if (client.exists(stream)) {
                    if (listed.acceptsProducers()) {
                        StreamPublication.count(client, stream);
                    } else {
                        client.awaitReadable(stream);
                    }
                }
            }
        }
    }

    /** The streams in the register, and whether the server accepted a mark. */
    private record Listed(Set<String> streams, boolean acceptsProducers) {}

    /**
     * A server that is short of memory or disk accepts no mark, but sends what it has: then its
     * register is read until nothing more comes.
     *
     * @throws StreamException if it cannot be read
     */
    private Listed listed(final StreamClient client) {
        final String mark = newMark();
        try {
            publish(client, register(channel), mark);
        } catch (final StreamException e) {
            return listedUntilSilent(client, e);
        }
        return new Listed(listedUpTo(client, mark), true);
    }

    private Listed listedUntilSilent(final StreamClient client, final StreamException refusal) {
        final Set<String> entries = entries(client, "", END_SECONDS);
        if (entries.isEmpty()) { // not even the mark of its first start
            throw refusal;
        }
        return new Listed(names(entries), false);
    }

    /** An entry of the register that is published when it is read, and shows where it ends. */
    private static String newMark() {
        return MARK + UUID.randomUUID();
    }

    /**
     * The names in the register.
     *
     * @throws StreamException if the mark does not come: there may be more of them
     */
    private Set<String> listedUpTo(final StreamClient client, final String mark) {
        final Set<String> entries = entries(client, mark, SILENCE_SECONDS);
        if (!entries.contains(mark)) {
            throw new StreamException(
                    "the stream '%s', which lists them, has sent nothing for %d s"
                            .formatted(register(channel), SILENCE_SECONDS));
        }
        return names(entries);
    }

    private static Set<String> names(final Set<String> entries) {
        entries.removeIf(entry -> entry.startsWith(MARK));
        return entries;
    }

    /** The register up to a mark, or until nothing more comes. */
    private Set<String> entries(
            final StreamClient client, final String mark, final long silenceSeconds) {
        final BlockingQueue<String> sent = new LinkedBlockingQueue<>();
        try (Consumer _ =
                StreamClient.patiently(
                        client.consumer(register(channel), OffsetSpecification.first())
                                        .messageHandler((context, message) -> {
                                            context.processed();
                                            final byte[] entry = StreamClient.body(message);
                                            if (entry.length > 0) { // otherwise it names no stream
                                                sent.add(new String(entry, StandardCharsets.UTF_8));
                                            }
                                        })
                                ::build)) {
            final Set<String> entries = new LinkedHashSet<>();
            String entry = sent.poll(SILENCE_SECONDS, TimeUnit.SECONDS);
            while (entry != null) {
                entries.add(entry);
                entry = entry.equals(mark) ? null : sent.poll(silenceSeconds, TimeUnit.SECONDS);
            }
            return entries;
        } catch (final InterruptedException e) {
            throw interrupted();
        }
    }

    @Override
    public long count(final Topic topic) {
        try (StreamClient client = new StreamClient(channel)) {
            declare(client, channel, name(channel, topic));
            return StreamPublication.count(client, name(channel, topic));
        }
    }

    @Override
    public long read(final Topic topic, final long fromOrdinal, final MessageHandler handler) {
        final long end = count(topic);
        try (StreamSubscription reader =
                StreamSubscription.open(channel, name(channel, topic), fromOrdinal)) {
            return StoredTopics.readUpTo(reader, fromOrdinal, end, handler);
        }
    }

    /**
     * The first offset, which is at least the first ordinal: a stream begins with offset 0 as long
     * as no policy of its server has deleted a segment.
     */
    @Override
    public long firstOrdinal(final Topic topic) {
        final String stream = name(channel, topic);
        try (StreamClient client = new StreamClient(channel)) {
            // one that has had no message, which somebody may have made anew, has no first offset
            return StreamPublication.count(client, stream) == 0 ? 0 : client.firstOffset(stream);
        } catch (final StreamException e) {
            throw channel.failed(
                    "where the stream '%s' begins is not known: %s"
                            .formatted(stream, EngineErrors.said(e)),
                    e);
        }
    }

    /** Deletes those listed in the register, together with the register. */
    @Override
    public void deleteAll() {
        final String mark = newMark();
        try (StreamClient client = new StreamClient(channel)) {
            client.declare(register(channel), false);
            try {
                publish(client, register(channel), mark);
            } catch (final StreamException e) {
                throw left(client, e);
            }
            deleteUpTo(client, mark);
        }
    }

    /**
     * Deletes those listed before a mark, and the register; nothing where the mark does not come,
     * so that the register still says which are left.
     */
    void deleteUpTo(final StreamClient client, final String mark) {
        final Set<String> streams;
        try {
            streams = listedUpTo(client, mark);
        } catch (final StreamException e) {
            throw left(client, e);
        }
        streams.forEach(client::delete);
        client.delete(register(channel));
    }

    private UserError left(final StreamClient client, final StreamException e) {
        return client.refused(
                "its streams are left at the server; delete those there whose names begin with '%s.'"
                        .formatted(channel.parameters().broker().prefix()),
                e);
    }

    @Override
    public long expected(final Topic topic) {
        return count(topic);
    }

    @Override
    public StoredFiles files(final Path folder, final Topic topic) {
        return new StreamSegments(folder, name(channel, topic));
    }
}
