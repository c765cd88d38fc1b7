package io.tickmark.engines.rabbitmq;

import com.rabbitmq.stream.Consumer;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.Producer;
import com.rabbitmq.stream.StreamException;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Topic;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerStoreTransport.StoredFiles;
import io.tickmark.transport.broker.BrokerStoreTransport.StoredTopics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The streams of a channel that store topics: a server writes before it confirms. */
record StreamStore(BrokerChannel<StreamParameters> channel) implements StoredTopics {
    /** The first stream of a server of ours; nobody uses it. */
    private static final String FIRST = "tickmark-first";

    private static final long REGISTERED_NS = 2_000_000_000L;
    private static final long SILENCE_SECONDS = 10;

    static String name(final BrokerChannel<StreamParameters> channel, final Topic topic) {
        return "%s.%s.stored".formatted(channel.parameters().broker().prefix(), topic.name());
    }

    /** The stream that lists the names of a store's streams, at a server that we did not start. */
    private static String register(final BrokerChannel<StreamParameters> channel) {
        return channel.parameters().broker().prefix() + ".stored";
    }

    /** Creates a stream where it does not exist, and lists it. */
    static void declare(
            final StreamClient client,
            final BrokerChannel<StreamParameters> channel,
            final String stream) {
        client.declare(stream, false);
        if (!channel.startsServers()) {
            client.declare(register(channel), false);
            publish(client, register(channel), stream);
        }
    }

    /** Returns once the server has confirmed it, or does not answer. */
    private static void publish(
            final StreamClient client, final String stream, final String words) {
        final BlockingQueue<Boolean> confirmed = new LinkedBlockingQueue<>();
        try (Producer producer = client.producer(stream).build()) {
            producer.send(
                    producer.messageBuilder()
                            .addData(words.getBytes(StandardCharsets.UTF_8))
                            .build(),
                    status -> confirmed.add(status.isConfirmed()));
            confirmed.poll(SILENCE_SECONDS, TimeUnit.SECONDS);
        } catch (final StreamException e) {
            throw client.refused("the stream '%s' accepts no message".formatted(stream), e);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * A server of ours has its first stream two seconds before it is used: RabbitMQ 3.10 writes
     * where the log of all streams' leaders is a moment after that, and a server that is killed
     * before can neither serve nor create streams ever after.
     */
    @Override
    public void awaitReady(final Runnable requireMajority) {
        try (StreamClient client = new StreamClient(channel)) {
            if (channel.startsServers() && !client.exists(FIRST)) {
                client.declare(FIRST, false);
                LockSupport.parkNanos(REGISTERED_NS);
            }
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

    /** Deletes those listed in the register, up to a mark, together with the register. */
    @Override
    public void deleteAll() {
        final String mark = UUID.randomUUID().toString();
        final BlockingQueue<String> listed = new LinkedBlockingQueue<>();
        try (StreamClient client = new StreamClient(channel)) {
            client.declare(register(channel), false);
            publish(client, register(channel), mark);
            final Consumer reader =
                    client.consumer(register(channel), OffsetSpecification.first())
                            .messageHandler((context, message) -> {
                                context.processed();
                                listed.add(
                                        new String(
                                                message.getBodyAsBinary(), StandardCharsets.UTF_8));
                            })
                            .build();
            String stream = listed.poll(SILENCE_SECONDS, TimeUnit.SECONDS);
            while (stream != null && !stream.equals(mark)) {
                client.delete(stream);
                stream = listed.poll(SILENCE_SECONDS, TimeUnit.SECONDS);
            }
            reader.close();
            client.delete(register(channel));
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public StoredFiles files(final Path folder, final Topic topic) {
        return new StreamSegments(folder, name(channel, topic));
    }
}
