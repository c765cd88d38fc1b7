package io.tickmark.engines.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.DurableContractTest;
import io.tickmark.transport.store.DurableTransport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;

/** Persistent topics as a store: kept ones, and such as are emptied by their reader. */
@ExtendWith(SharedPulsar.class)
class PulsarStoreContractTest extends DurableContractTest {
    /** JUnit makes an instance for each test. */
    private final String prefix = SharedPulsar.prefix();

    @Override
    protected DurableTransport transport() {
        return SharedPulsar.transport();
    }

    @Override
    protected ChannelUri channel(final boolean receiverPaced) {
        return ChannelUri.parse(
                "pulsar:?maxPayloadBytes=65536&deletion=%s&prefix=%s"
                        .formatted(
                                receiverPaced ? "acknowledged" : "kept",
                                receiverPaced ? prefix + "-paced" : prefix));
    }

    private static List<Path> files(final String ending) throws IOException {
        try (Stream<Path> all = Files.walk(SharedPulsar.folder().resolve("bookkeeper"))) {
            return all.filter(each -> each.toString().endsWith(ending)).toList();
        }
    }

    /**
     * Behind the last record of the journal. A journal has a header of 512 bytes, then records:
     * their length (int32) and so many bytes; padding is a record whose length stands behind a
     * mark. It is longer than its records, with zeros (BookKeeper, {@code Journal} and {@code
     * JournalChannel}).
     */
    @Override
    protected void tearTail(final Path data, final Topic topic) throws IOException {
        final Path newest = files(".txn").stream().max(Comparator.naturalOrder()).orElseThrow();
        final ByteBuffer journal = ByteBuffer.wrap(Files.readAllBytes(newest)).position(512);
        for (int length = length(journal); length != 0; length = length(journal)) {
            journal.position(journal.position() + Integer.BYTES + length);
        }
        final byte[] torn =
                ByteBuffer.allocate(journal.position() + 24)
                        .put(journal.array(), 0, journal.position())
                        .putInt(1000)
                        .putLong(4711)
                        .putLong(12)
                        .array();
        Files.write(newest, torn);
    }

    /** Of the record at the position, which moves behind the mark where it is padding. */
    private static int length(final ByteBuffer journal) {
        final int length = journal.getInt(journal.position());
        return length >= 0
                ? length
                : journal.position(journal.position() + Integer.BYTES).getInt(journal.position());
    }

    /** Of the sixth message, whose payload begins with 5 and goes on with zeros, wherever it is. */
    @Override
    protected void corrupt(final Path data, final Topic topic) throws IOException {
        final ByteBuffer head =
                ByteBuffer.allocate(50).order(ByteOrder.nativeOrder()).putLong(0, 5);
        int found = 0;
        for (final Path file :
                Stream.concat(files(".txn").stream(), files(".log").stream()).toList()) {
            final byte[] bytes = Files.readAllBytes(file);
            int at = bytes.length - head.capacity();
            while (at >= 0 && !ByteBuffer.wrap(bytes, at, head.capacity()).equals(head)) {
                at--;
            }
            if (at >= 0) {
                bytes[at + 20] ^= 1;
                Files.write(file, bytes);
                found++;
            }
        }
        assertThat(found).as("files with the message").isPositive();
    }

    @Override
    protected Damage damage() {
        return Damage.NOT_SENT;
    }

    /** The server writes down once a second what was acknowledged. */
    @Override
    protected boolean deletionSurvivesKill() {
        return false;
    }

    @Override
    protected String readerInPython(final ChannelUri endpoint) {
        return """
        import pulsar
        client = pulsar.Client('pulsar://%s', logger=pulsar.ConsoleLogger(pulsar.LoggerLevel.Error))
        reader = client.create_reader('persistent://public/default/%s.tickmark.stored', pulsar.MessageId.earliest)
        while read < expected:
            message = reader.read_next(20000)
            assert message.data()[8:] == bytes(92), message.data()
            take(message.data())
        assert not reader.has_message_available()
        client.close()
        """
                .formatted(endpoint.authority(), prefix);
    }
}
