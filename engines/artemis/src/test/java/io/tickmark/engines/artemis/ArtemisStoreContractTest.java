package io.tickmark.engines.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.store.DurableContractTest;
import io.tickmark.transport.store.DurableTransport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;

/** Durable queues as a store: non-destructive ones, and such that are emptied by their reader. */
@ExtendWith(SharedArtemis.class)
class ArtemisStoreContractTest extends DurableContractTest {
    /** JUnit makes an instance for each test. */
    private final String prefix = SharedArtemis.prefix();

    @Override
    protected DurableTransport transport() {
        return SharedArtemis.transport();
    }

    @Override
    protected ChannelUri channel(final boolean receiverPaced) {
        return ChannelUri.parse(
                "artemis:?maxPayloadBytes=65536&deletion=%s&prefix=%s"
                        .formatted(
                                receiverPaced ? "acknowledged" : "kept",
                                receiverPaced ? prefix + "-paced" : prefix));
    }

    /**
     * The file of the journal that was written last, and where its records end. Files have their
     * full length from the start; each begins with its format (int32), a version (int32) and its
     * number (int64), big-endian (Artemis, {@code JournalImpl}).
     */
    private record LastFile(Path path, byte[] bytes, int end) {
        private static final int HEADER_BYTES = 16;

        static LastFile find() throws IOException {
            LastFile last = null;
            try (Stream<Path> files = Files.list(SharedArtemis.folder().resolve("journal"))) {
                for (final Path path :
                        files.filter(each -> each.toString().endsWith(".amq")).toList()) {
                    final byte[] bytes = Files.readAllBytes(path);
                    int end = bytes.length;
                    while (end > 0 && bytes[end - 1] == 0) {
                        end--;
                    }
                    if (end > HEADER_BYTES && (last == null || last.number() < number(bytes))) {
                        last = new LastFile(path, bytes, end);
                    }
                }
            }
            assertThat(last).as("a file with records").isNotNull();
            return last;
        }

        long number() {
            return number(bytes);
        }

        private static long number(final byte[] bytes) {
            return ByteBuffer.wrap(bytes).getLong(8);
        }
    }

    /** Type, file and id of a message, and nothing behind them. */
    @Override
    protected void tearTail(final Path data, final Topic topic) throws IOException {
        final LastFile last = LastFile.find();
        ByteBuffer.wrap(last.bytes())
                .position(last.end())
                .put((byte) 11)
                .putInt((int) last.number())
                .put((byte) 0)
                .putLong(4711);
        Files.write(last.path(), last.bytes());
    }

    /** Of the twelfth message, whose payload begins with 11 and goes on with zeros. */
    @Override
    protected void corrupt(final Path data, final Topic topic) throws IOException {
        final LastFile last = LastFile.find();
        final ByteBuffer head =
                ByteBuffer.allocate(50).order(ByteOrder.nativeOrder()).putLong(0, 11);
        int at = last.end() - head.capacity();
        while (!ByteBuffer.wrap(last.bytes(), at, head.capacity()).equals(head)) {
            at--;
        }
        last.bytes()[at + 20] ^= 1;
        Files.write(last.path(), last.bytes());
    }

    /** By another protocol, STOMP 1.2: the ordinal is a header there. */
    @Override
    protected String readerInPython(final ChannelUri endpoint) {
        final BrokerChannel<ArtemisParameters> channel = new ArtemisTransport().channel(endpoint);
        return """
        import queue, stomp
        arrived = queue.Queue()
        class Listener(stomp.ConnectionListener):
            def on_message(self, frame):
                arrived.put(frame)
            def on_error(self, frame):
                arrived.put(frame)
        client = stomp.StompConnection12([('%s', %d)], auto_decode=False)
        client.set_listener('', Listener())
        client.connect(wait=True)
        client.subscribe('%3$s::%3$s', id='1', ack='auto')
        while read < expected:
            frame = arrived.get(timeout=30)
            assert frame.headers.get('ordinal') == str(read), (frame.cmd, frame.headers, frame.body)
            take(frame.body)
        client.disconnect()
        """
                .formatted(
                        channel.address().host(),
                        channel.address().port(),
                        new ArtemisQueue(channel, Topic.DEFAULT).name());
    }

    @Override
    protected Damage damage() {
        return Damage.LEFT_OUT;
    }
}
