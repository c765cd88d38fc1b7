package io.tickmark.engines.redis;

import static io.tickmark.transport.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.ForeignClient;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.StoreServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a client of another language sees of the store, and does to it. */
@Timeout(120)
class RedisForeignClientTest {
    private static final ChannelUri CHANNEL = ChannelUri.parse("redis:");

    @TempDir private Path folder;

    @BeforeAll
    static void need() {
        RedisNeeds.server();
        ForeignClient.need();
    }

    @Test
    void shouldStoreWhatAnotherClientReadsAlsoAfterAKill() throws Exception {
        try (StoreServer store = new RedisTransport().store(CHANNEL, folder)) {
            store.start();
            write(store, 100);
            store.kill(1);
            store.restart(1);

            assertThat(
                            python(
                                    store,
                                    """
                                    entries = r.xrange('tickmark.tickmark.stored')
                                    print(len(entries), entries[0][0].decode(), entries[-1][0].decode(), len(entries[0][1][b'm']))
                                    """))
                    .isEqualTo("100 0-1 0-100 64");
        }
    }

    @Test
    void shouldKeepTopicsApartWhateverAlphabetTheirNamesHave() throws Exception {
        try (StoreServer store = new RedisTransport().store(CHANNEL, folder)) {
            store.start();
            int count = 1;
            for (final Topic topic : Topic.of(List.of("\u00e9", "\u00e8", "\u65e5\u672c"))) {
                try (DurablePublication publication =
                        new RedisTransport().durablePublication(store.endpoint(), topic)) {
                    offer(publication, count++);
                }
            }

            assertThat(
                            python(
                                    store,
                                    """
                                    names = ('\\u00e9', '\\u00e8', '\\u65e5\\u672c')
                                    print([r.xlen('tickmark.%s.stored' % name) for name in names])
                                    """))
                    .isEqualTo("[1, 2, 3]");
        }
    }

    /** What the channel says has no effect where somebody else has set the server. */
    @Test
    void shouldAskAGivenServerHowDurableItIs() throws Exception {
        try (StoreServer store = new RedisTransport().store(CHANNEL, folder)) {
            store.start();
            final HostPort address = HostPort.of(store.endpoint());
            assertThat(durability("redis://" + address.authority() + "?sync=always"))
                    .isEqualTo("D1 page cache");

            python(store, "r.config_set('appendfsync', 'always')\n");
            assertThat(durability("redis://" + address.authority())).isEqualTo("D2 synced");

            python(store, "r.config_set('appendonly', 'no')\n");
            assertThat(durability("redis://" + address.authority() + "?sync=always"))
                    .isEqualTo("D0 memory");

            python(store, "r.execute_command('ACL', 'SETUSER', 'default', '-config')\n");
            assertThat(durability("redis://" + address.authority() + "?sync=always"))
                    .isEqualTo("D2 synced, claimed");
        }
    }

    private static Object durability(final String channel) {
        try (DurablePublication publication =
                        new RedisTransport()
                                .durablePublication(ChannelUri.parse(channel), Topic.DEFAULT);
                DurableSubscription subscription =
                        new RedisTransport()
                                .durableSubscription(ChannelUri.parse(channel), Topic.DEFAULT, 0)) {
            assertThat(subscription.facts().get("durability"))
                    .isEqualTo(publication.facts().get("durability"));
            return publication.facts().get("durability");
        }
    }

    @Test
    void shouldSayThatSomebodyElseWritesToItsStream() throws Exception {
        try (StoreServer store = new RedisTransport().store(CHANNEL, folder)) {
            store.start();
            try (DurablePublication publication = publication(store)) {
                offer(publication, 1);
                python(store, "r.xadd('tickmark.tickmark.stored', {'m': 'x'}, id='0-2')\n");

                until(() -> {
                    publication.offer(new UnsafeBuffer(new byte[64]), 0, 64);
                    return !publication.failure().isEmpty();
                });
                assertThat(publication.failure())
                        .isEqualTo(
                                "message 1 was stored as number 2: another program writes to this topic");
                assertThat(publication.offer(new UnsafeBuffer(new byte[64]), 0, 64))
                        .isEqualTo(Publication.CLOSED);
            }
        }
    }

    @Test
    void shouldReadOnWhereAServerThatWasPausedGoesOn() throws Exception {
        try (StoreServer store = new RedisTransport().store(CHANNEL, folder)) {
            store.start();
            try (DurableSubscription subscription =
                    new RedisTransport().durableSubscription(store.endpoint(), Topic.DEFAULT, 0)) {
                python(store, "r.client_pause(1000, all=True)\n");
                write(store, 10);
                final List<Long> read = new ArrayList<>();

                until(() -> {
                    subscription.poll(
                            (buffer, offset, length) -> read.add(subscription.ordinal()), 100);
                    return read.size() == 10;
                });
                assertThat(read).isSorted().startsWith(0L).endsWith(9L);
            }
        }
    }

    @Test
    void shouldReportTheReasonWhenAServerRefusesMessages() throws Exception {
        try (StoreServer store = new RedisTransport().store(CHANNEL, folder)) {
            store.start();
            try (DurablePublication publication = publication(store)) {
                offer(publication, 5);
                python(store, "r.config_set('maxmemory', '1mb')\n");

                until(() -> {
                    publication.offer(new UnsafeBuffer(new byte[64]), 0, 64);
                    return publication.isLost();
                });
                assertThat(publication.failure())
                        .contains("was refused: the server's memory is full (OOM");
            }
            final String stored =
                    python(
                            store,
                            """
                            r.config_set('maxmemory', '0')
                            print(r.xlen('tickmark.tickmark.stored'))
                            """);
            try (DurablePublication publication = publication(store)) {
                assertThat(publication.nextOrdinal()).isEqualTo(Long.parseLong(stored));
            }
        }
    }

    private static DurablePublication publication(final StoreServer store) {
        return new RedisTransport().durablePublication(store.endpoint(), Topic.DEFAULT);
    }

    private static void write(final StoreServer store, final int count) {
        try (DurablePublication publication = publication(store)) {
            offer(publication, count);
        }
    }

    private static void offer(final DurablePublication publication, final int count) {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
        final long last = publication.nextOrdinal() + count - 1;
        until(() -> {
            if (publication.nextOrdinal() <= last) {
                publication.offer(message, 0, 64);
            }
            return publication.stablePosition() >= last;
        });
    }

    @Test
    void shouldCountWhatAServerDoesNotPublish() throws Exception {
        try (Exchange ours =
                new RedisTransport().exchange(CHANNEL, Topic.DEFAULT, ExchangeSide.BIND, 0)) {
            assertThat(ours.note()).isEmpty();
            python(ours.channel(), "r.execute_command('ACL', 'SETUSER', 'default', '-publish')\n");

            until(() -> {
                ours.publication().offer(new UnsafeBuffer(new byte[64]), 0, 64);
                ours.publication().doWork();
                return ours.note().isPresent();
            });
            assertThat(ours.note().orElseThrow())
                    .contains("that the client had accepted", "not acknowledged", "NOPERM");
        }
    }

    /** As it does with one that reads too slowly (client-output-buffer-limit). */
    @Test
    void shouldReportThatTheServerClosedTheConnectionOfASubscriber() throws Exception {
        final RedisTransport redis = new RedisTransport();
        try (Exchange ours = redis.exchange(CHANNEL, Topic.DEFAULT, ExchangeSide.BIND, 0);
                Exchange theirs =
                        redis.exchange(ours.channel(), Topic.DEFAULT, ExchangeSide.CONNECT, 1)) {
            python(ours.channel(), "r.execute_command('CLIENT', 'KILL', 'TYPE', 'pubsub')\n");

            until(() -> theirs.note().isPresent());
            assertThat(theirs.note().orElseThrow())
                    .startsWith("The connection to the server broke (it was closed): ");
        }
    }

    private static String python(final StoreServer store, final String script)
            throws IOException, InterruptedException {
        return python(store.endpoint(), script);
    }

    private static String python(final ChannelUri channel, final String script)
            throws IOException, InterruptedException {
        final HostPort address = HostPort.of(channel);
        return ForeignClient.run(
                "import redis\nr = redis.Redis(host='%s', port=%d)\n%s"
                        .formatted(address.host(), address.port(), script));
    }
}
