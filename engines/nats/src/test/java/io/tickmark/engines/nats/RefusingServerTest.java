package io.tickmark.engines.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.tickmark.kernel.host.FreePort;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Waiting;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A server that is full, or does not permit publishing, reports it asynchronously, and continues.
 */
@Timeout(120)
class RefusingServerTest {
    private static final String CONFIGURATION =
            """
            authorization {
              users = [ {user: guest, password: guest, permissions: {publish: {deny: ">"}}} ]
            }
            no_auth_user: guest
            """;

    private final NatsTransport nats = new NatsTransport();
    private final JetStreamTransport jetStream = new JetStreamTransport();

    @TempDir private Path folder;

    @BeforeAll
    static void needServer() {
        NatsNeeds.server();
    }

    @Test
    void shouldReportWhatTheServerRefusesToPublish() throws Exception {
        final HostPort free = free();
        try (ServerProcess server = server(free, CONFIGURATION);
                Exchange ours = opened(server, free)) {
            while (ours.note().isEmpty()) {
                ours.publication().offer(new UnsafeBuffer(new byte[64]), 0, 64);
                ours.publication().doWork();
                Thread.sleep(1);
            }

            assertThat(ours.note().orElseThrow())
                    .startsWith("The NATS client reported ")
                    .containsIgnoringCase("permissions violation for publish");
        }
    }

    @Test
    void shouldSayThatTheServerAsksForCredentials() throws Exception {
        final HostPort free = free();
        try (ServerProcess server =
                server(free, "authorization { user: guest, password: guest }\n")) {
            assertThatThrownBy(() -> opened(server, free))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("asks for credentials, which cannot be given here")
                    .hasMessageContaining("?start");
        }
    }

    @Test
    void shouldSayThatTheServersStorageIsFull() throws Exception {
        final HostPort free = free();
        try (ServerProcess server = server(free, jetStream("1MB"))) {
            awaitReady(server);
            try (DurablePublication publication = filled(free)) {
                assertThat(publication.trouble())
                        .isEqualTo(
                                "the server refuses messages: insufficient resources; JetStream is full: raise its"
                                        + " max_file_store or max_memory_store, or make room on the disk");
            }
        }
    }

    @Test
    void shouldSayThatAStreamIsFull() throws Exception {
        final HostPort free = free();
        try (ServerProcess server = server(free, jetStream("100MB"))) {
            awaitReady(server);
            limit(free, limit -> limit.maxBytes(100_000).discardPolicy(DiscardPolicy.New));
            try (DurablePublication publication = filled(free)) {
                assertThat(publication.trouble())
                        .isEqualTo(
                                "the server refuses messages: maximum bytes exceeded; the stream is full or cannot be"
                                        + " written: raise its limits, or make room on the disk");
                assertThat(publication.stablePosition()).isLessThan(publication.nextOrdinal() - 1);
            }
        }
    }

    /** What it acknowledged would be gone, and nothing would say so. */
    @Test
    void shouldRefuseAStreamThatDeletesOldMessagesAtItsLimits() throws Exception {
        final HostPort free = free();
        try (ServerProcess server = server(free, jetStream("100MB"))) {
            awaitReady(server);
            limit(free, limit -> limit.maxBytes(100_000).discardPolicy(DiscardPolicy.Old));

            assertThatThrownBy(() -> filled(free).close())
                    .hasFieldOrPropertyWithValue("kind", UserError.Kind.ENVIRONMENT)
                    .hasMessageContaining(
                            "the stream 'tickmark~tickmark' deletes old messages at its limits")
                    .hasMessageContaining("set discard to new, or give ?subject=");
        }
    }

    @Test
    void shouldRefuseAStreamThatDeletesOldMessagesOfASubject() throws Exception {
        final HostPort free = free();
        try (ServerProcess server = server(free, jetStream("100MB"))) {
            awaitReady(server);
            limit(free, limit -> limit.maxMessagesPerSubject(10).discardPolicy(DiscardPolicy.New));

            assertThatThrownBy(() -> filled(free).close())
                    .hasFieldOrPropertyWithValue("kind", UserError.Kind.ENVIRONMENT)
                    .hasMessageContaining("or set discard_new_per_subject");
        }
    }

    /** Nothing took what was published, and it was sent again for ever. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "orders.new | orders.new",
                "orders.new,tickmark.stored.tickmark | orders.new, tickmark.stored.tickmark",
                "tickmark.stored.> | tickmark.stored.>"
            })
    void shouldRefuseAStreamWithOtherSubjects(final String subjects, final String named)
            throws Exception {
        final HostPort free = free();
        try (ServerProcess server = server(free, jetStream("100MB"))) {
            awaitReady(server);
            limit(
                    free,
                    limit -> limit.subjects(subjects.split(",")).discardPolicy(DiscardPolicy.New));

            final String sentence =
                    "--channel %s: the stream 'tickmark~tickmark' takes what is published to %s, and not to %s alone;"
                                    .formatted(stored(free), named, "tickmark.stored.tickmark")
                            + " give it that one subject, delete it, or give ?subject=.";
            assertThatThrownBy(
                            () -> jetStream.durablePublication(stored(free), Topic.DEFAULT).close())
                    .hasFieldOrPropertyWithValue("kind", UserError.Kind.ENVIRONMENT)
                    .hasMessage(sentence);
            assertThatThrownBy(() ->
                            jetStream.durableSubscription(stored(free), Topic.DEFAULT, 0).close())
                    .hasFieldOrPropertyWithValue("kind", UserError.Kind.ENVIRONMENT)
                    .hasMessage(sentence);
        }
    }

    @Test
    void shouldNameAnotherStreamThatHasTheSubject() throws Exception {
        final HostPort free = free();
        try (ServerProcess server = server(free, jetStream("100MB"))) {
            awaitReady(server);
            limit(free, limit -> limit.name("theirs").subjects("tickmark.>"));

            assertThatThrownBy(() -> filled(free).close())
                    .hasFieldOrPropertyWithValue("kind", UserError.Kind.ENVIRONMENT)
                    .hasMessageEndingWith(
                            ": what is published to tickmark.stored.tickmark goes to another stream (theirs); delete that, or"
                                    + " give ?subject=.");
        }
    }

    /** What was stored would be sent again for ever. */
    @Test
    void shouldRefuseAStreamThatAcknowledgesNothing() throws Exception {
        final HostPort free = free();
        try (ServerProcess server = server(free, jetStream("100MB"))) {
            awaitReady(server);
            limit(free, limit -> limit.noAck(true).discardPolicy(DiscardPolicy.New));

            assertThatThrownBy(() -> filled(free).close())
                    .hasFieldOrPropertyWithValue("kind", UserError.Kind.ENVIRONMENT)
                    .hasMessageContaining("the stream 'tickmark~tickmark' acknowledges nothing")
                    .hasMessageContaining("set no_ack to false there, or give ?subject=");
        }
    }

    @Test
    void shouldAcceptAStreamThatRefusesNewMessagesOfAFullSubject() throws Exception {
        final HostPort free = free();
        try (ServerProcess server = server(free, jetStream("100MB"))) {
            awaitReady(server);
            limit(
                    free,
                    limit ->
                            limit.maxMessagesPerSubject(10)
                                    .discardPolicy(DiscardPolicy.New)
                                    .discardNewPerSubject(true));
            try (DurablePublication publication = filled(free)) {
                assertThat(publication.trouble())
                        .startsWith(
                                "the server refuses messages: maximum messages per subject exceeded");
            }
        }
    }

    /** A server counts the headers of a message with its payload. */
    @Test
    void shouldStoreAMessageThatIsAsLongAsTheServerTakesWithItsHeaders() throws Exception {
        final HostPort free = free();
        try (ServerProcess server = server(free, "max_payload: 2000\n" + jetStream("100MB"))) {
            awaitReady(server);
            final int most = 2000 - JetStreamPublication.mostHeaderBytes(parameters(stored(free)));
            final UnsafeBuffer message = new UnsafeBuffer(new byte[most + 1]);
            try (DurablePublication publication =
                    jetStream.durablePublication(limited(stored(free), most), Topic.DEFAULT)) {
                assertThat(publication.offer(message, 0, most + 1)).isEqualTo(Publication.TOO_LONG);
                assertThat(publication.offer(message, 0, most)).isZero();
                Waiting.until(
                        "it is stored",
                        () -> {
                            publication.doWork();
                            return publication.stablePosition() == 0;
                        });
                assertThat(publication.engineErrors()).isEmpty();
            }
        }
    }

    /** The first of that length was an unexpected error of the client. */
    @Test
    void shouldRefuseMessagesThatAreTooLongForTheServerWithTheirHeaders() throws Exception {
        final HostPort free = free();
        try (ServerProcess server = server(free, "max_payload: 2000\n" + jetStream("100MB"))) {
            awaitReady(server);
            final int headers = JetStreamPublication.mostHeaderBytes(parameters(stored(free)));
            final ChannelUri tooLong = limited(stored(free), 2000 - headers + 1);

            assertThatThrownBy(() -> jetStream.durablePublication(tooLong, Topic.DEFAULT).close())
                    .isInstanceOf(UserError.class)
                    .hasMessage(
                            "--channel %s: the server takes messages of at most 2000 bytes, of which headers need up to %d;"
                                            .formatted(tooLong, headers)
                                    + " give ?maxPayloadBytes=%d or less."
                                            .formatted(2000 - headers));
        }
    }

    @Test
    void shouldTakeAllThatTheServerTakesWhereMessagesHaveNoHeaders() throws Exception {
        final HostPort free = free();
        try (ServerProcess server = server(free, "max_payload: 2000\n" + jetStream("100MB"))) {
            awaitReady(server);
            final ChannelUri plain = ChannelUri.parse("nats://" + free.authority());
            final UnsafeBuffer message = new UnsafeBuffer(new byte[2000]);
            try (Publication publication = nats.publication(limited(plain, 2000), Topic.DEFAULT);
                    DurablePublication stored =
                            jetStream.durablePublication(
                                    limited(stored(free), 2000).with("dedup", "false"),
                                    Topic.DEFAULT);
                    Subscription subscription =
                            nats.subscription(limited(plain, 2000), Topic.DEFAULT)) {
                assertThat(publication.offer(message, 0, 2000)).isPositive();
                assertThat(stored.offer(message, 0, 2000)).isZero();
                Waiting.until(
                        "it comes",
                        () ->
                                subscription.poll(
                                                (buffer, offset, length) ->
                                                        assertThat(length).isEqualTo(2000),
                                                1)
                                        == 1);
                Waiting.until(
                        "it is stored",
                        () -> {
                            stored.doWork();
                            return stored.stablePosition() == 0;
                        });
            }

            assertThatThrownBy(() -> nats.publication(limited(plain, 2001), Topic.DEFAULT).close())
                    .isInstanceOf(UserError.class)
                    .hasMessageEndingWith(
                            ": the server takes messages of at most 2000 bytes; give ?maxPayloadBytes=2000 or less.");
        }
    }

    private JetStreamParameters parameters(final ChannelUri channel) {
        return jetStream.channel(channel).parameters();
    }

    private static ChannelUri limited(final ChannelUri channel, final int maxPayloadBytes) {
        return channel.with("maxPayloadBytes", Integer.toString(maxPayloadBytes));
    }

    private String jetStream(final String most) {
        return "jetstream { store_dir: \"%s\", max_file_store: %s }\n"
                .formatted(folder.resolve("store"), most);
    }

    /** Until it is refused. */
    private DurablePublication filled(final HostPort at) {
        final DurablePublication publication =
                jetStream.durablePublication(stored(at), Topic.DEFAULT);
        final UnsafeBuffer message = new UnsafeBuffer(new byte[10_000]);
        Waiting.until(
                "it is refused",
                () -> {
                    publication.offer(message, 0, message.capacity());
                    publication.doWork();
                    return !publication.trouble().isEmpty();
                });
        return publication;
    }

    /** As somebody who made the stream before. */
    private void limit(final HostPort at, final UnaryOperator<StreamConfiguration.Builder> limits)
            throws Exception {
        final BrokerChannel<JetStreamParameters> channel = jetStream.channel(stored(at));
        try (NatsLink other = new NatsLink(channel)) {
            other.connection()
                    .jetStreamManagement()
                    .addStream(
                            limits.apply(
                                            StreamConfiguration.builder()
                                                    .name(Streams.name(channel, Topic.DEFAULT))
                                                    .subjects(
                                                            Streams.subject(channel, Topic.DEFAULT))
                                                    .storageType(StorageType.File))
                                    .build());
        }
    }

    private static ChannelUri stored(final HostPort at) {
        return ChannelUri.parse("jetstream://" + at.authority());
    }

    private HostPort free() throws IOException {
        final HostPort any = nats.channel(ChannelUri.parse("nats:")).address();
        return any.withPort(FreePort.tcp(any.address()));
    }

    private ServerProcess server(final HostPort at, final String text) throws IOException {
        final Path configuration = Files.writeString(folder.resolve("nats.conf"), text);
        return ServerProcess.start(
                List.of(
                        NatsServer.PROGRAM
                                .required(nats.channel(ChannelUri.parse("nats:")))
                                .toString(),
                        "-c",
                        configuration.toString(),
                        "-a",
                        at.host(),
                        "-p",
                        Integer.toString(at.port())),
                Map.of(),
                folder.resolve("server.log"));
    }

    private static void awaitReady(final ServerProcess server) {
        assertThat(server.awaitReady("Server is ready", "", Duration.ofSeconds(60))).isEmpty();
    }

    private Exchange opened(final ServerProcess server, final HostPort at) {
        awaitReady(server);
        return nats.exchange(
                ChannelUri.parse("nats://" + at.authority()), Topic.DEFAULT, ExchangeSide.BIND, 0);
    }
}
