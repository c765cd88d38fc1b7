package io.tickmark.engines.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.PurgeOptions;
import io.nats.client.api.MessageInfo;
import io.nats.client.impl.Headers;
import io.tickmark.kernel.host.FreePort;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Topic;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.SilentServer;
import io.tickmark.transport.store.Deletion;
import io.tickmark.transport.store.Durability;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.StoreServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers as a user sees them: shared, given, absent, blocking a port. */
class NatsChannelTest {
    @BeforeAll
    static void needServer() {
        NatsNeeds.server();
    }

    private final NatsTransport transport = new NatsTransport();
    private final JetStreamTransport stored = new JetStreamTransport();

    @Test
    void shouldCountTheThreadThatReadsAndTheOneThatWrites() {
        final ChannelUri given = ChannelUri.parse("nats://10.0.0.1:4222");
        final ChannelUri stored = ChannelUri.parse("jetstream://10.0.0.1:4222");

        assertThat(transport.busyThreads(given, ExchangeSide.BIND)).isEqualTo(2);
        assertThat(new JetStreamTransport().busyThreads(stored, ExchangeSide.BIND)).isEqualTo(2);
    }

    @Test
    void shouldUseAServerThatRunsAlreadyAndLeaveItRunning() {
        try (Exchange first = bind("nats:")) {
            final String given = "nats://" + first.channel().authority();
            try (Exchange second = bind(given + "?subject=other")) {
                assertThat(second.publication().facts()).containsEntry("serverStartedHere", false);
            }
            try (Exchange third = bind(given)) {
                assertThat(third.subscription().isConnected()).isTrue();
            }
        }
    }

    @Test
    void shouldShareItsServerAmongTheTopicsOfAProcess() {
        final Exchange first = bind("nats:");
        try (Exchange second =
                transport.exchange(first.channel(), new Topic("b", 2), ExchangeSide.BIND, 0)) {
            assertThat(second.channel()).isEqualTo(first.channel());
            first.close();
            assertThat(second.publication().offer(new UnsafeBuffer(new byte[8]), 0, 8))
                    .isPositive();
        }
    }

    @Test
    void shouldSayThatAPortIsInUse() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            final UserError error =
                    catchThrowableOfType(
                            UserError.class,
                            () -> bind("nats://127.0.0.1:" + taken.getLocalPort() + "?start"));

            assertThat(error.kind()).isEqualTo(UserError.Kind.ENVIRONMENT);
            assertThat(error)
                    .hasMessageEndingWith(
                            "port %d is in use; choose another, or 0 for any free one."
                                    .formatted(taken.getLocalPort()));
        }
    }

    @Test
    void shouldSayThatNoServerAnswers() throws IOException {
        final int port = FreePort.tcp();
        final UserError error =
                catchThrowableOfType(UserError.class, () -> bind("nats://127.0.0.1:" + port));

        assertThat(error.kind()).isEqualTo(UserError.Kind.ENVIRONMENT);
        assertThat(error).hasMessageContaining("no NATS server answers there");
    }

    /** It takes the connection and says nothing. */
    @Test
    void shouldSayThatASilentServerIsNone(@TempDir final Path directory) throws Exception {
        final Consumer<UserError> sentence =
                said ->
                        assertThat(said)
                                .hasMessageContaining(
                                        "no NATS server answers there: what listens does not speak its");
        try (SilentServer silent = new SilentServer()) {
            silent.refuses(transport, "", directory, sentence);
            silent.refuses(stored, "", directory, sentence);
        }
    }

    /** The client connects to the named servers one after the other. */
    @Test
    void shouldNotReportThatTheFirstOfItsServersWasAlreadyDead() throws Exception {
        final int dead = FreePort.tcp();
        try (Exchange running = bind("nats:");
                Exchange other =
                        bind(
                                "nats://127.0.0.1:%d,%s"
                                        .formatted(dead, running.channel().authority()))) {
            assertThat(other.subscription().isConnected()).isTrue();

            Thread.sleep(2_500); // a break is reported once it has lasted

            assertThat(other.publication().engineErrors()).isEmpty();
        }
    }

    @Test
    void shouldSayWhatAStorePromises() {
        assertThat(durability("jetstream:")).isEqualTo(Durability.D1);
        assertThat(durability("jetstream:?storage=memory&replicas=3")).isEqualTo(Durability.D0);
        assertThat(durability("jetstream:?replicas=3")).isEqualTo(Durability.D3);
        assertThat(durability("jetstream:?sync=always")).isEqualTo(Durability.D2);
        assertThat(durability("jetstream:?sync=always&replicas=3")).isEqualTo(Durability.D4);
        assertThat(
                        stored.guarantees(ChannelUri.parse("jetstream:?deletion=acknowledged"))
                                .deletion())
                .isEqualTo(Deletion.ACKNOWLEDGED);
    }

    @Test
    void shouldSayThatAStoreHasNoWayBack() {
        final UserError error =
                catchThrowableOfType(
                        UserError.class,
                        () ->
                                stored.exchange(
                                        ChannelUri.parse("jetstream:"),
                                        Topic.DEFAULT,
                                        ExchangeSide.BIND,
                                        0));

        assertThat(error)
                .hasMessage(
                        "--channel jetstream:: a store cannot carry echoes; measure round trips over nats: instead.");
    }

    private Durability durability(final String channel) {
        return stored.guarantees(ChannelUri.parse(channel)).durability();
    }

    @Test
    void shouldRefuseAStreamOfAnotherKindAndNoticeASecondWriter(@TempDir final Path directory) {
        try (StoreServer store =
                stored.store(ChannelUri.parse("jetstream:?storage=memory"), directory)) {
            store.start();
            final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
            try (DurablePublication one = open(store.endpoint());
                    DurablePublication two = open(store.endpoint())) {
                assertThat(one.offer(message, 0, 8)).isZero();
                untilStable(one, 0);
                assertThat(two.offer(message, 0, 8)).isZero();
                while (two.offer(message, 0, 8) != Publication.CLOSED) {
                    Thread.onSpinWait(); // bounded: it gives up after some refusals
                }
                assertThat(two.facts().get("failure"))
                        .isEqualTo(
                                "message 0 of the stream is not ours: another program writes to it");
            }

            final UserError error =
                    catchThrowableOfType(
                            UserError.class,
                            () -> open(store.endpoint().with("deletion", "acknowledged")));

            assertThat(error)
                    .hasFieldOrPropertyWithValue("kind", UserError.Kind.ENVIRONMENT)
                    .hasMessageContaining("has storage=memory, replicas=1 and limits retention");
        }
    }

    /** As when a cluster takes longer to elect than it remembers ids, and answers are lost. */
    @Test
    void shouldFindItsOwnMessagesInTheStreamWhenTheirIdsAreForgotten(@TempDir final Path directory)
            throws Exception {
        try (StoreServer store =
                stored.store(
                        ChannelUri.parse("jetstream:?storage=memory&dedupWindow=1s"), directory)) {
            store.start();
            final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
            try (DurablePublication publication = open(store.endpoint())) {
                assertThat(publication.offer(message, 0, 8)).isZero();
                untilStable(publication, 0);
                storeAsIfOfTheOneThatStoredTheFirst(store.endpoint(), 1, 10);
                Thread.sleep(2_500);

                for (int i = 1; i < 12; i++) {
                    assertThat(publication.offer(message, 0, 8)).isEqualTo(i);
                }
                untilStable(publication, 11);

                assertThat(publication.facts()).doesNotContainKey("failure");
            }
            assertThat(store.verify(Topic.DEFAULT).messages()).isEqualTo(12);
        }
    }

    private void storeAsIfOfTheOneThatStoredTheFirst(
            final ChannelUri endpoint, final int from, final int to) throws Exception {
        final BrokerChannel<JetStreamParameters> channel = stored.channel(endpoint);
        final NatsLink link = new NatsLink(channel);
        final Connection connection = link.connection();
        final String subject = Streams.subject(channel, Topic.DEFAULT);
        final MessageInfo first =
                connection
                        .jetStreamManagement()
                        .getLastMessage(Streams.name(channel, Topic.DEFAULT), subject);
        final String id = first.getHeaders().getFirst("Nats-Msg-Id");
        final JetStream jetStream = connection.jetStream();
        for (int ordinal = from; ordinal < to; ordinal++) {
            final Headers headers = new Headers();
            headers.put("Nats-Msg-Id", id.substring(0, id.length() - 1) + ordinal);
            jetStream.publish(subject, headers, new byte[8]);
        }
        link.close();
    }

    @Test
    void shouldLeaveStreamsAloneThatBeginAsTheGivenSubjectDoes(
            @TempDir final Path ours, @TempDir final Path theirs) {
        try (StoreServer running = stored.store(ChannelUri.parse("jetstream:"), theirs)) {
            running.start();
            final ChannelUri given =
                    ChannelUri.parse(
                            "jetstream://" + running.endpoint().authority() + "?subject=orders");
            final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
            try (DurablePublication before = open(given)) {
                assertThat(before.offer(message, 0, 8)).isZero();
                untilStable(before, 0);
            }
            final ChannelUri used;
            try (StoreServer store = stored.store(given, ours)) {
                store.start();
                used = store.endpoint();
                try (DurablePublication publication = open(used)) {
                    assertThat(publication.offer(message, 0, 8)).isZero();
                    untilStable(publication, 0);
                }
            }

            assertThat(used.parameters().get("subject")).startsWith("orders.tickmark-");
            try (DurablePublication after = open(given)) {
                assertThat(after.nextOrdinal()).isOne();
            }
            try (DurablePublication gone = open(used)) {
                assertThat(gone.nextOrdinal()).isZero();
            }
        }
    }

    @Test
    void shouldKeepMessagesAtAServerThatRunsAlreadyAndTakeThemAwayAtTheEnd(
            @TempDir final Path ours, @TempDir final Path theirs) {
        try (StoreServer running = stored.store(ChannelUri.parse("jetstream:"), theirs)) {
            running.start();
            final ChannelUri given =
                    ChannelUri.parse("jetstream://" + running.endpoint().authority());
            final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
            for (int trial = 1; trial <= 2; trial++) {
                try (StoreServer store = stored.store(given, ours)) {
                    store.start();
                    try (DurablePublication publication = open(store.endpoint())) {
                        assertThat(publication.offer(message, 0, 8)).isZero();
                        untilStable(publication, 0);
                    }
                    assertThat(store.readBack(Topic.DEFAULT, 0, (buffer, offset, length) -> {}))
                            .isOne();
                    assertThat(catchThrowableOfType(UserError.class, () -> store.kill(1)))
                            .hasMessageContaining("was not started here");
                }
            }
            assertThat(running.verify(Topic.DEFAULT).messages()).isZero();
        }
    }

    @Test
    void shouldSayWhereATopicBeginsOfWhichAnotherProgramHasDeleted(
            @TempDir final Path ours, @TempDir final Path theirs) throws Exception {
        try (StoreServer running = stored.store(ChannelUri.parse("jetstream:"), theirs)) {
            running.start();
            final ChannelUri given =
                    ChannelUri.parse("jetstream://" + running.endpoint().authority());
            final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
            try (StoreServer store = stored.store(given, ours)) {
                store.start();
                try (DurablePublication publication = open(store.endpoint())) {
                    for (int sent = 0; sent < 3; sent++) {
                        assertThat(publication.offer(message, 0, 8)).isEqualTo(sent);
                    }
                    untilStable(publication, 2);
                }
                assertThat(store.firstOrdinal(Topic.DEFAULT)).isZero();

                final BrokerChannel<JetStreamParameters> channel = stored.channel(store.endpoint());
                try (NatsLink other = new NatsLink(channel)) {
                    other.management()
                            .purgeStream(
                                    Streams.name(channel, Topic.DEFAULT),
                                    PurgeOptions.builder().sequence(3).build());
                }

                assertThat(store.firstOrdinal(Topic.DEFAULT)).isEqualTo(2);
                assertThat(store.readBack(Topic.DEFAULT, 0, (buffer, offset, length) -> {}))
                        .isOne();
            }
        }
    }

    private DurablePublication open(final ChannelUri channel) {
        return stored.durablePublication(channel, Topic.DEFAULT);
    }

    private static void untilStable(final DurablePublication publication, final long ordinal) {
        while (publication.stablePosition() < ordinal) {
            publication.doWork();
            assertThat(publication.facts()).doesNotContainKey("failure");
        }
    }

    private Exchange bind(final String channel) {
        return transport.exchange(ChannelUri.parse(channel), Topic.DEFAULT, ExchangeSide.BIND, 0);
    }
}
