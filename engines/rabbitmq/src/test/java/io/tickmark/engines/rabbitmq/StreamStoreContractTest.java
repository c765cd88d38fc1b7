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

/** Streams as a store. */
@ExtendWith(StreamServer.class)
class StreamStoreContractTest extends DurableContractTest {
    private static final int FILE_HEADER_BYTES = 8;

    /** Decodes AMQP 1.0 itself; to be given the server, and the stream but for its last part. */
    private static final String READER =
            """
            import asyncio
            from rstream import exceptions, Consumer, ConsumerOffsetSpecification, OffsetType, amqp_decoder
            async def main():
                consumer = Consumer(host='%s', port=%d, username='guest', password='guest')
                def each(message, context):
                    body = bytes(message.body)
                    assert struct.unpack('>q', body[-12:-4])[0] == read, body
                    take(body)
                    if read == expected:
                        consumer.stop()
                await consumer.start()
                for attempt in range(60): # a server that has just started may not have the stream yet
                    try:
                        await consumer.subscribe('%s.stored', each, decoder=amqp_decoder,
                            offset_specification=ConsumerOffsetSpecification(OffsetType.FIRST, None))
                        break
                    except (exceptions.ClientError, exceptions.ServerError):
                        await asyncio.sleep(1)
                await asyncio.wait_for(consumer.run(), 50)
                await consumer.close()
            asyncio.run(main())
            """;

    /** JUnit makes an instance for each test. */
    private final String prefix = StreamServer.prefix();

    @Override
    protected DurableTransport transport() {
        return StreamServer.transport();
    }

    @Override
    protected ChannelUri channel(final boolean receiverPaced) {
        return ChannelUri.parse(
                "rabbitmq-stream:?maxPayloadBytes=%d&deletion=%s&prefix=%s"
                        .formatted(
                                StreamServer.MOST_BYTES,
                                receiverPaced ? "acknowledged" : "kept",
                                prefix));
    }

    @Override
    protected boolean deletesAcknowledged() {
        return false;
    }

    private Path segment(final Topic topic) throws IOException {
        try (Stream<Path> files = Files.walk(StreamServer.folder().resolve("data"))) {
            final List<Path> segments =
                    files.filter(file ->
                                    file.toString()
                                            .matches(
                                                    ".*__%s_%s_stored_\\d+/.*\\.segment"
                                                            .formatted(prefix, topic.name())))
                            .toList();
            assertThat(segments).hasSize(1);
            return segments.getFirst();
        }
    }

    @Override
    protected void tearTail(final Path data, final Topic topic) throws IOException {
        final byte[] bytes = Files.readAllBytes(segment(topic));
        Files.write(
                segment(topic),
                Arrays.copyOfRange(bytes, FILE_HEADER_BYTES, FILE_HEADER_BYTES + 60),
                StandardOpenOption.APPEND);
    }

    /** The server that runs keeps the file open, and appends to it. */
    @Override
    protected void corrupt(final Path data, final Topic topic) throws IOException {
        final byte[] bytes = Files.readAllBytes(segment(topic));
        final int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("\0".repeat(50));
        assertThat(at).isPositive();
        bytes[at + 20] ^= 1;
        Files.write(segment(topic), bytes);
    }

    @Override
    protected String readerInPython(final ChannelUri endpoint) {
        return READER.formatted(
                HostPort.of(endpoint).host(), HostPort.of(endpoint).port(), prefix + ".tickmark");
    }
}
