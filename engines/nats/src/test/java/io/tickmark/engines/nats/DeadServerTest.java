package io.tickmark.engines.nats;

import static io.tickmark.transport.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tickmark.kernel.host.FreePort;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Closing;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Topic;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.Standstill;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.ServerProcess;
import io.tickmark.transport.store.StoreServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server that is gone, and whose port another process has taken, so that it cannot restart. */
class DeadServerTest extends JetStreamTesting {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** An independent reader: counts the messages of a server, and adds up the first numbers. */
    private static final String READER =
            """
            import asyncio, sys, nats
            async def read(url, stream):
                connection = await nats.connect(url)
                js = connection.jetstream()
                state = (await js.stream_info(stream)).state
                total = 0
                for sequence in range(state.first_seq, state.last_seq + 1):
                    message = await js.get_msg(stream, sequence)
                    total += int.from_bytes(message.data[:8], "little")
                print(state.messages, total)
                await connection.close()
            asyncio.run(read(sys.argv[1], sys.argv[2]))
            """;

    private ServerSocket intruder;

    @AfterEach
    void giveThePortBack() throws IOException {
        if (intruder != null) {
            intruder.close();
        }
    }

    private void write(final long count) {
        try (DurablePublication publication =
                transport.durablePublication(store.endpoint(), Topic.DEFAULT)) {
            offer(publication, 0, count);
            until("all are stable", () -> stable(publication) == count - 1);
        }
    }

    private void killForGood() throws IOException {
        store.kill(1);
        final HostPort address = transport.channel(store.endpoint()).address();
        intruder = new ServerSocket(address.port(), 1, address.address());
        assertThatThrownBy(() -> store.restart(1)).isInstanceOf(UserError.class);
    }

    /** Its connections are open, and nothing tells that it takes nothing. */
    @Test
    void shouldRefuseInsteadOfWaitingForAServerThatStandsStill() {
        start("jetstream:");
        final ChannelUri plain =
                ChannelUri.parse(
                        "nats://%s?sendPendingBytes=262144"
                                .formatted(store.endpoint().authority()));
        try (Publication publication = new NatsTransport().publication(plain, Topic.DEFAULT);
                DurablePublication stored =
                        transport.durablePublication(
                                store.endpoint().with("maxFlight", "16"), Topic.DEFAULT)) {
            try (Standstill _ = new Standstill()) {
                until(
                        "it is refused",
                        () -> publication.offer(large, 0, 65_536) == Publication.BACK_PRESSURED);
                until(
                        "it is not stored",
                        () -> stored.offer(large, 0, 1000) == Publication.BACK_PRESSURED);
            }
            until("it goes on", () -> publication.offer(large, 0, 100) > 0);
            until("it is stored", () -> stable(stored) >= 15);
        }
    }

    /** A role closes all its topics. */
    @Test
    void shouldCloseThoughTheServerAnswersNothing() {
        start("jetstream:?deletion=acknowledged");
        final ChannelUri plain = ChannelUri.parse("nats://" + store.endpoint().authority());
        final List<Publication> publications = new ArrayList<>();
        final List<DurablePublication> stored = new ArrayList<>();
        final List<DurableSubscription> subscriptions = new ArrayList<>();
        for (final Topic topic : Topic.of(List.of("first", "second", "third"))) {
            final DurablePublication storing =
                    transport.durablePublication(store.endpoint(), topic);
            final DurableSubscription reading =
                    transport.durableSubscription(store.endpoint(), topic, 0);
            offer(storing, 0, 1);
            until("it is delivered", () -> reading.poll((buffer, offset, length) -> {}, 1) > 0);
            publications.add(new NatsTransport().publication(plain, topic));
            stored.add(storing);
            subscriptions.add(reading);
        }
        try (Standstill _ = new Standstill()) {
            stored.forEach(each -> each.offer(large, 0, 100));
            subscriptions.forEach(each -> each.acknowledge(0));

            Closing.soon("the publications to a store", stored);
            Closing.soon("the publications", publications);
            Closing.soon("the subscriptions", subscriptions);
            assertThat(subscriptions.getFirst().engineErrors().orElseThrow())
                    .contains("had not answered in time");
        }
    }

    /**
     * Another client has what a subscriber acknowledged before; each waited for it five seconds.
     */
    @Test
    void shouldCloseSoonThoughWhatWasAcknowledgedDoesNotArrive() {
        start("jetstream:?deletion=acknowledged");
        final List<DurableSubscription> subscriptions = new ArrayList<>();
        for (final Topic topic : Topic.of(List.of("first", "second", "third", "fourth"))) {
            subscriptions.add(transport.durableSubscription(store.endpoint(), topic, 0));
        }
        subscriptions.forEach(each -> each.acknowledge(9));
        try (Standstill _ = new Standstill()) {
            Closing.soon("the subscriptions", subscriptions);
        }
    }

    /** Nobody looks after it meanwhile: what it would write has the place of what is gone. */
    @Test
    void shouldWriteNothingMoreOnceTheConnectionToASingleServerBroke() throws Exception {
        start("jetstream:?dedup=false&ackTimeout=600s&sendPendingBytes=262144");
        final BrokerChannel<JetStreamParameters> channel = transport.channel(store.endpoint());
        write(1);
        try (JetStreamPublication publication = JetStreamPublication.open(channel, Topic.DEFAULT)) {
            breakWhileItWrites(publication);
            store.restart(1);

            awaitEndOfClient(publication);
        }
        assertThat(readBack()).containsExactly(0L);
    }

    @Test
    void shouldReadBackAllThatAStockServerFindsInTheSameFolder() throws Exception {
        final String python = System.getenv("TICKMARK_TEST_PYTHON");
        assumeTrue(
                python != null && !python.isBlank(),
                "TICKMARK_TEST_PYTHON names no Python with the packages of config/test-python.txt");
        start("jetstream:");
        write(300);
        killForGood();

        assertThat(readBack()).containsExactlyElementsOf(ordinals(0, 300));
        assertThat(store.verify(Topic.DEFAULT)).isEqualTo(new StoreServer.Verification(300, 0, 0));
        assertThat(asStockServerHasIt(python)).isEqualTo("300 " + 299 * 300 / 2);
    }

    private String asStockServerHasIt(final String python) throws Exception {
        final BrokerChannel<JetStreamParameters> channel =
                transport.channel(ChannelUri.parse("jetstream:"));
        final HostPort free = freeAddress(channel.address());
        try (ServerProcess stock =
                ServerProcess.start(
                        List.of(
                                NatsServer.PROGRAM.required(channel).toString(),
                                "-js",
                                "-sd",
                                directory.resolve("member-1/data").toString(),
                                "-a",
                                free.host(),
                                "-p",
                                Integer.toString(free.port())),
                        Map.of(),
                        directory.resolve("stock.log"))) {
            assertThat(stock.awaitReady("Server is ready", "", PATIENCE)).isEmpty();
            final Process reader =
                    new ProcessBuilder(
                                    python,
                                    "-c",
                                    READER,
                                    "nats://" + free.authority(),
                                    Streams.name(channel, Topic.DEFAULT))
                            .redirectErrorStream(true)
                            .start();
            try {
                reader.getOutputStream().close();
                final String said =
                        new String(reader.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertThat(reader.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
                return said.strip();
            } finally {
                reader.destroyForcibly();
            }
        }
    }

    private static HostPort freeAddress(final HostPort host) throws IOException {
        return host.withPort(FreePort.tcp(host.address()));
    }

    @Test
    void shouldRecoverAWorkQueueAtAnotherPort() throws Exception {
        start("jetstream:?deletion=acknowledged");
        write(50);
        try (DurableSubscription subscription =
                transport.durableSubscription(store.endpoint(), Topic.DEFAULT, 0)) {
            subscription.acknowledge(19);
        }
        killForGood();

        // A crash may bring back what had been deleted, but nothing may be missing.
        assertThat(readBack()).containsAll(ordinals(20, 50)).isSubsetOf(ordinals(0, 50));
    }

    @Test
    void shouldOutliveItsServerWithMessagesThatAreNotAcknowledgedYet() {
        start("jetstream:?deletion=acknowledged");
        write(50);
        try (DurableSubscription subscription =
                transport.durableSubscription(store.endpoint(), Topic.DEFAULT, 0)) {
            until("some are read", () -> poll(subscription) >= 10);
            final long dealtWith = subscription.ordinal();
            store.kill(1);
            until("it is told", () -> !subscription.isConnected());

            subscription.acknowledge(dealtWith);
            poll(subscription);
            subscription.acknowledge(subscription.ordinal());

            assertThat(subscription.facts())
                    .hasEntrySatisfying(
                            "acknowledgementsRefused",
                            refused -> assertThat((Long) refused).isPositive());
            assertThat(subscription.engineErrors().orElseThrow()).contains("did not accept");
        }
        store.restart(1);
        try (DurableSubscription opened =
                transport.durableSubscription(store.endpoint(), Topic.DEFAULT, 10)) {
            until(
                    "the rest is read",
                    () -> {
                        poll(opened);
                        return opened.ordinal() == 49;
                    });
            opened.acknowledge(49);
        }

        assertThat(readBack()).as("those whose acknowledgement was lost as well").isEmpty();
    }

    /** Of another version, for instance, which keeps its files elsewhere. */
    @Test
    void shouldNotCallAStreamEmptyWhoseFilesItCannotFind() {
        final BlockFiles missing = new BlockFiles(directory, "none");

        assertThat(missing.verify()).isEqualTo(new StoreServer.Verification(0, 0, 0));
        assertThatThrownBy(() -> missing.read(0, (buffer, offset, length) -> {}))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("none");
    }

    @Test
    void shouldRefuseAndNotThrowWhereItsServerIsGone() {
        start("jetstream:");
        write(1);
        try (DurablePublication publication =
                transport.durablePublication(store.endpoint(), Topic.DEFAULT)) {
            store.kill(1);
            until("it is refused", () -> findsNobody(publication));
            // a connection that broke counts as lost only after a moment
            until("it is lost", publication::isLost);
        }
    }
}
