package io.tickmark.engines.rabbitmq;

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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client of another language finds in the queues of a store. */
@ExtendWith(SharedServer.class)
@Timeout(180)
class ForeignReaderTest {
    private static final int MESSAGES = 100;
    private static final int LENGTH = 64;

    @BeforeAll
    static void needPython() {
        ForeignClient.need();
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "quorum"})
    void shouldStoreWhatAnotherClientReadsAfterAKill(final String queue) throws Exception {
        final ChannelUri channel = SharedServer.given().with("queue", queue);
        write(channel);
        SharedServer.store().kill(1);
        SharedServer.store().restart(1);

        final HostPort address = HostPort.of(channel);
        assertThat(
                        ForeignClient.run(
                                """
                                import pika, struct
                                channel = pika.BlockingConnection(pika.ConnectionParameters('%s', %d)).channel()
                                read = 0
                                while True:
                                    method, properties, body = channel.basic_get('%s.tickmark.stored')
                                    if method is None:
                                        break
                                    assert properties.delivery_mode == 2, properties
                                    assert body[:8] == struct.pack('<q', read), (read, body)
                                    assert body[%d:-4] == struct.pack('>q', read), (read, body)
                                    read += 1
                                print(read)
                                """
                                        .formatted(
                                                address.host(),
                                                address.port(),
                                                channel.parameters().get("prefix"),
                                                LENGTH)))
                .isEqualTo("" + MESSAGES);
    }

    private static void write(final ChannelUri channel) {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
        try (DurablePublication publication =
                new RabbitmqTransport().durablePublication(channel, Topic.DEFAULT)) {
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
