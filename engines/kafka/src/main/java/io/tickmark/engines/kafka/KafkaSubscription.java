package io.tickmark.engines.kafka;

import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerSubscription;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;

/** Reads a topic of one partition from an offset on, without a group. */
class KafkaSubscription extends BrokerSubscription {
    private static final long MS_NS = 1_000_000;

    private final BrokerChannel<KafkaParameters> channel;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private Iterator<ConsumerRecord<byte[], byte[]>> ahead = Collections.emptyIterator();
    private long offset = -1;

    KafkaSubscription(
            final BrokerChannel<KafkaParameters> channel,
            final String topic,
            final long fromOffset) {
        super(channel);
        this.channel = channel;
        consumer = Clients.consumer(channel);
        final TopicPartition partition = Topics.partition(topic);
        consumer.assign(List.of(partition));
        consumer.seek(partition, fromOffset);
    }

    @Override
    protected final byte[] next() {
        if (!ahead.hasNext()) {
            fetch(Duration.ZERO);
        }
        if (!ahead.hasNext()) {
            return null;
        }
        final ConsumerRecord<byte[], byte[]> next = ahead.next();
        offset = next.offset();
        return next.value();
    }

    @Override
    public final boolean wakesOnArrival() {
        return true;
    }

    /** The client counts in milliseconds and does not wait for less. */
    @Override
    protected final void waitForNext(final long timeoutNs) {
        if (ahead.hasNext()) {
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

    /** Offset of the last delivered message, which is its ordinal; -1 before the first. */
    public final long ordinal() {
        return offset;
    }

    /** Kafka's consumer keeps retrying and does not report it. */
    @Override
    protected boolean isServed() {
        return true;
    }

    @Override
    public Map<String, Object> facts() {
        return KafkaTransport.facts(channel);
    }

    @Override
    protected void release() {
        consumer.close(CloseOptions.timeout(Duration.ofSeconds(1)));
    }
}
