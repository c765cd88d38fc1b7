package io.tickmark.engines.kafka;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/** Sends to a topic of one partition; a full buffer of the producer is back-pressure. */
final class KafkaPublication implements Publication {
    private static final Duration CLOSING = Duration.ofSeconds(5);

    private final KafkaChannel channel;
    private final String topic;
    private final KafkaProducer<byte[], byte[]> producer;
    private final AutoCloseable owned;
    private final AtomicLong failures = new AtomicLong();
    private final Callback counting;
    private long position;
    private boolean closed;

    /** Closes {@code owned} with itself. */
    KafkaPublication(final KafkaChannel channel, final String topic, final AutoCloseable owned) {
        this.channel = channel;
        this.topic = topic;
        this.owned = owned;
        producer = Clients.producer(channel, topic);
        counting =
                (metadata, error) -> {
                    if (error != null) {
                        failures.incrementAndGet();
                    }
                };
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length) {
        if (closed) {
            return CLOSED;
        }
        if (length > channel.parameters().maxPayloadBytes()) {
            return TOO_LONG;
        }
        final byte[] copy = new byte[length];
        buffer.getBytes(offset, copy);
        try {
            if (!isTaken(producer.send(new ProducerRecord<>(topic, 0, null, copy), counting))) {
                failures.decrementAndGet(); // its call-back came, too
                return BACK_PRESSURED;
            }
        } catch (final KafkaException | IllegalStateException e) {
            return CLOSED; // an earlier message was refused for good
        }
        return ++position;
    }

    /** With no time to wait, what cannot be taken has failed when the call returns. */
    static boolean isTaken(final Future<?> sent) {
        return !sent.isDone() || sent.state() != Future.State.FAILED;
    }

    @Override
    public int subscriberCount() {
        return UNKNOWN_COUNT;
    }

    @Override
    public ChannelUri channel() {
        return channel.uri();
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = new TreeMap<>(KafkaFacts.of(channel));
        facts.put("sendFailures", failures.get());
        return facts;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            producer.close(CLOSING);
            CloseHelper.quietClose(owned);
        }
    }
}
