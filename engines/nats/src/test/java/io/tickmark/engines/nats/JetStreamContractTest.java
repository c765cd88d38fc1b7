package io.tickmark.engines.nats;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.DurableContractTest;
import io.tickmark.transport.store.DurableTransport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;

/** One server, file storage. */
class JetStreamContractTest extends DurableContractTest {
    @BeforeAll
    static void needServer() {
        NatsNeeds.server();
    }

    /** Bytes of the hash at the end of a record, and some more. */
    private static final int INTO_THE_LAST_MESSAGE = 20;

    @Override
    protected DurableTransport transport() {
        return new JetStreamTransport();
    }

    @Override
    protected ChannelUri channel(final boolean receiverPaced) {
        return ChannelUri.parse(
                "jetstream:?maxPayloadBytes=65536&deletion="
                        + (receiverPaced ? "acknowledged" : "kept"));
    }

    @Override
    protected void tearTail(final Path data, final Topic topic) throws IOException {
        final byte[] block = Files.readAllBytes(block(data));
        final byte[] begun = java.util.Arrays.copyOf(block, 60);
        Files.write(block(data), begun, StandardOpenOption.APPEND);
    }

    @Override
    protected void corrupt(final Path data, final Topic topic) throws IOException {
        final byte[] block = Files.readAllBytes(block(data));
        block[block.length - INTO_THE_LAST_MESSAGE] ^= 1;
        Files.write(block(data), block);
    }

    @Override
    protected String readerInPython(final ChannelUri endpoint) {
        return """
        import asyncio, nats
        async def main():
            client = await nats.connect('nats://%s')
            reader = await client.jetstream().subscribe('tickmark.stored.tickmark', ordered_consumer=True)
            while read < expected:
                message = await reader.next_msg(timeout=30)
                assert message.metadata.sequence.stream == read + 1, message
                take(message.data)
            await client.close()
        asyncio.run(main())
        """
                .formatted(endpoint.authority());
    }

    /** Debian's server writes deletions to its files only periodically. */
    @Override
    protected boolean deletionSurvivesKill() {
        return false;
    }

    static Path block(final Path data) throws IOException {
        try (Stream<Path> files = Files.walk(data)) {
            return files.filter(file -> file.toString().endsWith(".blk"))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
        }
    }
}
