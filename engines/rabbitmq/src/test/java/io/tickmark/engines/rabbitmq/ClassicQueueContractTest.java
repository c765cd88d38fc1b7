package io.tickmark.engines.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.DurableContractTest;
import io.tickmark.transport.store.DurableTransport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;

/** Classic durable queues as a store. */
@ExtendWith(SharedRabbitmq.class)
class ClassicQueueContractTest extends DurableContractTest {
    /** JUnit makes an instance for each test. */
    private final String prefix = SharedRabbitmq.prefix();

    @Override
    protected DurableTransport transport() {
        return SharedRabbitmq.transport();
    }

    @Override
    protected ChannelUri channel(final boolean receiverPaced) {
        return ChannelUri.parse(
                "rabbitmq:?maxPayloadBytes=%d&deletion=%s&prefix=%s&queue=%s"
                        .formatted(
                                SharedRabbitmq.MOST_BYTES,
                                receiverPaced ? "acknowledged" : "kept",
                                receiverPaced ? prefix + "-paced" : prefix,
                                queue()));
    }

    String queue() {
        return "classic";
    }

    /** The file of the queue that contains small and new messages. */
    private Path journal(final Topic topic) throws IOException {
        final String name = "%s.%s.stored".formatted(prefix, topic.name());
        try (Stream<Path> files = Files.walk(SharedRabbitmq.folder())) {
            final List<Path> stubs =
                    files.filter(file -> file.endsWith(".queue_name"))
                            .filter(file -> says(file, "QUEUE: " + name + "\n"))
                            .toList();
            assertThat(stubs).hasSize(1);
            return stubs.getFirst().resolveSibling("journal.jif");
        }
    }

    private static boolean says(final Path file, final String words) {
        try {
            return Files.readString(file).contains(words);
        } catch (final IOException e) {
            return false;
        }
    }

    @Override
    protected void tearTail(final Path data, final Topic topic) throws IOException {
        final byte[] bytes = Files.readAllBytes(journal(topic));
        Files.write(journal(topic), Arrays.copyOf(bytes, 60), StandardOpenOption.APPEND);
    }

    @Override
    protected void corrupt(final Path data, final Topic topic) throws IOException {
        final byte[] bytes = Files.readAllBytes(journal(topic));
        final String text = new String(bytes, StandardCharsets.ISO_8859_1);
        final int at = text.lastIndexOf("\0".repeat(50));
        assertThat(at).isPositive();
        bytes[at + 20] ^= 1;
        Files.write(journal(topic), bytes);
    }

    /** What it does not acknowledge goes back into the queue. */
    @Override
    protected String readerInPython(final ChannelUri endpoint) {
        return """
        import pika
        connection = pika.BlockingConnection(pika.ConnectionParameters('%s', %d))
        channel = connection.channel()
        channel.basic_qos(prefetch_count=65535)
        for method, properties, body in channel.consume('%s.tickmark.stored', inactivity_timeout=20):
            if method is None:
                break
            assert properties.delivery_mode == 2, properties
            assert struct.unpack('>q', body[-12:-4])[0] == read, (read, body)
            take(body)
            if read == expected:
                break
        connection.close()
        """
                .formatted(HostPort.of(endpoint).host(), HostPort.of(endpoint).port(), prefix);
    }

    @Override
    protected Damage damage() {
        return Damage.LEFT_OUT;
    }

    /** A server writes deletions later than the messages that it confirms. */
    @Override
    protected boolean deletionSurvivesKill() {
        return false;
    }
}
