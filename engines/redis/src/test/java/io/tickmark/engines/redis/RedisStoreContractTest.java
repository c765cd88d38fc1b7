package io.tickmark.engines.redis;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.DurableContractTest;
import io.tickmark.transport.store.DurableTransport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeAll;

/** Streams of one server as a store. */
class RedisStoreContractTest extends DurableContractTest {
    private static final String FILE = "member-1/appendonlydir/appendonly.aof.1.incr.aof";

    /** Behind the payload: its end, the field of the checksum, and the checksum itself. */
    private static final int INTO_THE_LAST_PAYLOAD = 30;

    @BeforeAll
    static void needServer() {
        Needed.server();
    }

    @Override
    protected DurableTransport transport() {
        return new RedisTransport();
    }

    @Override
    protected ChannelUri channel(final boolean receiverPaced) {
        return ChannelUri.parse(
                "redis:?maxPayloadBytes=65536&deletion="
                        + (receiverPaced ? "acknowledged" : "kept"));
    }

    @Override
    protected void tearTail(final Path data, final Topic topic) throws IOException {
        Files.write(
                data.resolve(FILE),
                "*7\r\n$4\r\nXADD\r\n$23".getBytes(),
                StandardOpenOption.APPEND);
    }

    @Override
    protected void corrupt(final Path data, final Topic topic) throws IOException {
        final byte[] bytes = Files.readAllBytes(data.resolve(FILE));
        bytes[bytes.length - INTO_THE_LAST_PAYLOAD] ^= 1;
        Files.write(data.resolve(FILE), bytes);
    }
}
