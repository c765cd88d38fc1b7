package io.tickmark.engines.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.Durability;
import io.tickmark.transport.store.DurableContractTest;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.DurableTransport;
import io.tickmark.transport.store.StoreServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Streams of one server as a store. */
class RedisStoreContractTest extends DurableContractTest {
    private static final String FILE = "member-1/appendonlydir/appendonly.aof.1.incr.aof";

    /** Behind the payload: its end, the field of the checksum, and the checksum itself. */
    private static final int INTO_THE_LAST_PAYLOAD = 30;

    @BeforeAll
    static void needServer() {
        RedisNeeds.server();
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

    @Override
    protected String readerInPython(final ChannelUri endpoint) {
        return """
        import redis
        server = redis.Redis(host='%s', port=%d)
        for id, fields in server.xrange('tickmark.tickmark.stored'):
            assert id == b'0-%%d' %% (read + 1), id
            take(fields[b'm'])
        """
                .formatted(HostPort.of(endpoint).host(), HostPort.of(endpoint).port());
    }

    /** The description of appendfsync in the redis.conf that Redis ships. */
    @ParameterizedTest
    @CsvSource({"always, D2", "everysec, D0", "no, D1"})
    void shouldPromiseWhatRedisSaysOfEachSync(final String sync, final Durability promised) {
        final ChannelUri channel = ChannelUri.parse("redis:?sync=" + sync);

        assertThat(transport().guarantees(channel).durability()).isEqualTo(promised);
    }

    @Test
    @Timeout(180)
    void shouldCountAnAcknowledgementThatItsServerDidNotTake(@TempDir final Path folder)
            throws InterruptedException {
        final DurableTransport redis = transport();
        try (StoreServer server = redis.store(channel(true), folder)) {
            server.start();
            try (DurablePublication publication =
                            redis.durablePublication(server.endpoint(), Topic.DEFAULT);
                    DurableSubscription subscription =
                            redis.durableSubscription(server.endpoint(), Topic.DEFAULT, 0)) {
                publication.offer(new UnsafeBuffer(new byte[64]), 0, 64);
                while (subscription.poll((buffer, offset, length) -> {}, 1) == 0) {
                    Thread.sleep(1);
                }
                server.kill(1);
                while (subscription.isConnected()) {
                    Thread.sleep(1);
                }

                subscription.acknowledge(0);
                subscription.settleAcknowledgements();

                assertThat(subscription.engineErrors().orElseThrow())
                        .contains("The server did not accept an acknowledgement");
                assertThat(subscription.facts())
                        .hasEntrySatisfying(
                                "acknowledgementsRefused",
                                refused -> assertThat((Long) refused).isPositive());
            }
        }
    }

    @Test
    void shouldNotCallAnEmptyStoreWhatItCannotFind(@TempDir final Path folder) {
        final AppendOnlyFiles files = new AppendOnlyFiles(folder, new byte[] {1});

        assertThatThrownBy(() -> files.read(0, (buffer, offset, length) -> {}))
                .isInstanceOf(UncheckedIOException.class);
        assertThat(files.verify()).isEqualTo(new StoreServer.Verification(0, 0, 0));
    }

    @Test
    @Timeout(180)
    void shouldReadBackWhatAServerHeldBackForASync(@TempDir final Path folder)
            throws InterruptedException {
        final DurableTransport redis = transport();
        try (StoreServer server = redis.store(ChannelUri.parse("redis:?sync=everysec"), folder)) {
            server.start();
            try (DurablePublication publication =
                    redis.durablePublication(server.endpoint(), Topic.DEFAULT)) {
                final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
                assertThat(publication.offer(message, 0, message.capacity())).isZero();
                while (publication.stablePosition() < 0) {
                    Thread.sleep(1);
                }
            }

            assertThat(server.readBack(Topic.DEFAULT, 0, (buffer, offset, length) -> {})).isOne();
            assertThat(server.verify(Topic.DEFAULT).messages()).isOne();
        }
    }
}
