package io.tickmark.engines.kafka;

import io.tickmark.transport.broker.BoundedClose;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.PullSubscription;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;

/** Reads a topic of one partition from an offset on, without a group. */
class KafkaSubscription extends PullSubscription<ConsumerRecord<byte[], byte[]>> {
    private static final long MS_NS = 1_000_000;
    private static final Duration CLOSING = Duration.ofSeconds(5);

    private final BrokerChannel<KafkaParameters> channel;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private Iterator<ConsumerRecord<byte[], byte[]>> fetched = Collections.emptyIterator();
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

    /** The client counts in milliseconds and does not wait for less. */
    @Override
    protected final ConsumerRecord<byte[], byte[]> fetch(final long timeoutNs) {
        if (!fetched.hasNext() && (timeoutNs == 0 || timeoutNs >= MS_NS)) {
            poll(Duration.ofNanos(timeoutNs));
        } else if (!fetched.hasNext()) {
            LockSupport.parkNanos(timeoutNs);
        }
        return fetched.hasNext() ? fetched.next() : null;
    }

    @Override
    protected final byte[] payload(final ConsumerRecord<byte[], byte[]> message) {
        offset = message.offset();
        return message.value();
    }

    private void poll(final Duration timeout) {
        try {
            fetched = consumer.poll(timeout).iterator();
        } catch (final InterruptException | WakeupException e) {
            fetched = Collections.emptyIterator();
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

    @Override
    protected void release() {
        BoundedClose.of(() -> consumer.close(CloseOptions.timeout(CLOSING)));
    }
}
