package io.tickmark.engines.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.DurableContractTest;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.DurableTransport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** One broker. */
@ExtendWith(SharedKafka.class)
class KafkaStoreContractTest extends DurableContractTest {
    /** JUnit makes an instance for each test. */
    private final String prefix = SharedKafka.prefix();

    @Override
    protected DurableTransport transport() {
        return SharedKafka.transport();
    }

    @Override
    protected ChannelUri channel(final boolean receiverPaced) {
        return ChannelUri.parse(
                "kafka:?maxPayloadBytes=65536&deletion=%s&prefix=%s"
                        .formatted(
                                receiverPaced ? "acknowledged" : "kept",
                                receiverPaced ? prefix + "-paced" : prefix));
    }

    private Path segment(final Topic topic) {
        return SharedKafka.folder()
                .resolve(
                        "data/%s.%s.stored-0/00000000000000000000.log"
                                .formatted(prefix, topic.name()));
    }

    @Override
    protected void tearTail(final Path data, final Topic topic) throws IOException {
        final byte[] begun = Arrays.copyOf(Files.readAllBytes(segment(topic)), 90);
        Files.write(segment(topic), begun, StandardOpenOption.APPEND);
    }

    @Override
    protected void corrupt(final Path data, final Topic topic) throws IOException {
        final byte[] bytes = Files.readAllBytes(segment(topic));
        bytes[bytes.length - 20] ^= 1;
        Files.write(segment(topic), bytes);
    }

    /** The beginning of a topic is written periodically. */
    @Override
    protected boolean deletionSurvivesKill() {
        return false;
    }

    @Override
    protected String readerInPython(final ChannelUri endpoint) {
        return """
        from kafka import KafkaConsumer
        consumer = KafkaConsumer('%s.tickmark.stored', bootstrap_servers='%s',
            auto_offset_reset='earliest', consumer_timeout_ms=30000)
        for record in consumer:
            assert record.offset == read, record
            take(record.value)
            if read == expected:
                break
        """
                .formatted(prefix, endpoint.authority());
    }

    /** Also where the client still waits for an answer when the role ends. */
    @Test
    @Timeout(180)
    void shouldCountAnAcknowledgementThatItsServerDidNotTake() throws InterruptedException {
        final ChannelUri channel = SharedKafka.given();
        try (DurablePublication publication =
                        transport().durablePublication(channel, Topic.DEFAULT);
                DurableSubscription subscription =
                        transport()
                                .durableSubscription(
                                        channel.with("deletion", "acknowledged"),
                                        Topic.DEFAULT,
                                        0)) {
            publication.offer(new UnsafeBuffer(new byte[64]), 0, 64);
            while (subscription.poll((buffer, offset, length) -> {}, 1) == 0) {
                Thread.sleep(1);
            }
            SharedKafka.store().kill(1);
            while (subscription.isConnected()) {
                Thread.sleep(1);
            }

            subscription.acknowledge(0);
            subscription.settleAcknowledgements();

            assertThat(subscription.engineErrors().orElseThrow())
                    .contains("The server did not accept an acknowledgement");
            assertThat(subscription.facts()).containsEntry("deletionsRefused", 1L);
        } finally {
            SharedKafka.store().restart(1);
        }
    }
}
