package io.tickmark.engines.kafka;

import io.tickmark.transport.broker.BrokerChannel;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;

/** Reads one partition from an offset on, without a group. Single-threaded. */
final class KafkaReader implements AutoCloseable {
    private static final long MS_NS = 1_000_000;

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final BrokerChannel<KafkaParameters> channel;
    private Iterator<ConsumerRecord<byte[], byte[]>> ahead = Collections.emptyIterator();
    private long offset = -1;
    private boolean closed;

    KafkaReader(
            final BrokerChannel<KafkaParameters> channel,
            final String topic,
            final long fromOffset) {
        this.channel = channel;
        consumer = Clients.consumer(channel);
        final TopicPartition partition = Topics.partition(topic);
        consumer.assign(List.of(partition));
        consumer.seek(partition, fromOffset);
    }

    /** The next record's value; null where none has arrived. */
    byte[] next() {
        if (!ahead.hasNext() && !closed) {
            fetch(Duration.ZERO);
        }
        if (!ahead.hasNext()) {
            return null;
        }
        final ConsumerRecord<byte[], byte[]> next = ahead.next();
        offset = next.offset();
        return next.value();
    }

    /**
     * Waits up to a limit for messages, where there are none yet. The client counts in milliseconds
     * and does not wait for less.
     */
    void await(final long timeoutNs) {
        if (ahead.hasNext() || closed) {
            return;
        }
        if (timeoutNs < MS_NS) {
            LockSupport.parkNanos(timeoutNs);
        } else {
            fetch(Duration.ofNanos(timeoutNs));
        }
    }

    private void fetch(final Duration timeout) {
        try {
            ahead = consumer.poll(timeout).iterator();
        } catch (final InterruptException | WakeupException e) {
            ahead = Collections.emptyIterator();
        } catch (final KafkaException e) {
            // A message that cannot be read, a topic that is gone: reported as a sentence, not as a
            // defect.
            throw Clients.refused(channel, e);
        }
    }

    /** Ordinal of the last delivered message; -1 before the first. */
    long offset() {
        return offset;
    }

    /** Idempotent. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            consumer.close(
                    org.apache.kafka.clients.consumer.CloseOptions.timeout(Duration.ofSeconds(1)));
        }
    }
}
