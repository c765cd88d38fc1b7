package io.tickmark.engines.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.ForeignClient;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.DurablePublication;
import java.nio.ByteOrder;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a client of another language finds in the topics of a store. */
@ExtendWith(SharedKafka.class)
@Timeout(180)
class ForeignReaderTest {
    private static final int MESSAGES = 100;
    private static final int LENGTH = 64;

    @BeforeAll
    static void needPython() {
        ForeignClient.need();
    }

    @Test
    void shouldStoreWhatAnotherClientReads() throws Exception {
        final ChannelUri channel = SharedKafka.given();
        write(channel);

        final HostPort address = HostPort.of(channel);
        assertThat(
                        ForeignClient.run(
                                """
                                import kafka, struct
                                consumer = kafka.KafkaConsumer(bootstrap_servers='%s', consumer_timeout_ms=60000)
                                partition = kafka.TopicPartition('%s.tickmark.stored', 0)
                                consumer.assign([partition])
                                consumer.seek_to_beginning(partition)
                                end = consumer.end_offsets([partition])[partition]
                                read = 0
                                while read < end:
                                    record = next(consumer)
                                    assert record.offset == read, (read, record)
                                    assert record.value[:8] == struct.pack('<q', read), (read, record)
                                    assert len(record.value) == %d, record
                                    read += 1
                                print(read)
                                """
                                        .formatted(
                                                address.authority(),
                                                channel.parameters().get("prefix"),
                                                LENGTH)))
                .isEqualTo("" + MESSAGES);
    }

    private static void write(final ChannelUri channel) {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
        try (DurablePublication publication =
                new KafkaTransport().durablePublication(channel, Topic.DEFAULT)) {
            while (publication.stablePosition() < MESSAGES - 1) {
                if (publication.nextOrdinal() < MESSAGES) {
                    message.putLong(0, publication.nextOrdinal(), ByteOrder.LITTLE_ENDIAN);
                    publication.offer(message, 0, LENGTH);
                }
                LockSupport.parkNanos(10_000); // the test's time-out bounds it
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
                assertThat(publication.failure()).isEmpty();
            }
        }
    }
}
