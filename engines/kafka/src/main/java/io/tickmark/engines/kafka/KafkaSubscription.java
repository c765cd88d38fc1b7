package io.tickmark.engines.kafka;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Subscription;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.agrona.CloseHelper;

/** Reads a topic from its end on. */
final class KafkaSubscription implements Subscription {
    private static final long LONGEST_WAIT_NS = 100_000_000;

    private final KafkaChannel channel;
    private final Reader reader;
    private final AutoCloseable owned;
    private boolean closed;

    /** Closes {@code owned} with itself. */
    KafkaSubscription(
            final KafkaChannel channel,
            final String topic,
            final long fromOffset,
            final AutoCloseable owned) {
        this.channel = channel;
        this.owned = owned;
        reader = new Reader(channel, topic, fromOffset);
    }

    @Override
    public int poll(final MessageHandler handler, final int limit) {
        return closed ? 0 : reader.poll(handler, limit);
    }

    @Override
    public void await(final long timeoutNs) {
        final long longestNs = Math.min(timeoutNs, LONGEST_WAIT_NS);
        if (closed || Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(longestNs);
        } else {
            reader.await(Duration.ofNanos(longestNs));
        }
    }

    /** Kafka's consumer goes on trying and does not tell. */
    @Override
    public boolean isConnected() {
        return !closed;
    }

    @Override
    public ChannelUri channel() {
        return channel.uri();
    }

    @Override
    public Map<String, Object> facts() {
        return KafkaFacts.of(channel);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            reader.close();
            CloseHelper.quietClose(owned);
        }
    }
}
