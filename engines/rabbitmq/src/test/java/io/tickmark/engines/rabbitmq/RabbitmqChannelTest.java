package io.tickmark.engines.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.tickmark.kernel.host.FreePort;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Closing;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerStoreTransport;
import io.tickmark.transport.broker.SilentServer;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.StoreServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Messages to the user where a server does not match a channel, and servers that stop and restart.
 */
@ExtendWith(SharedRabbitmq.class)
class RabbitmqChannelTest extends GivenServerTests {
    private final RabbitmqTransport rabbitmq = new RabbitmqTransport();

    @Override
    protected BrokerStoreTransport<?> transport() {
        return rabbitmq;
    }

    private UserError refusedToStore(final ChannelUri channel) {
        return checked(() -> rabbitmq.durablePublication(channel, Topic.DEFAULT));
    }

    @Test
    void shouldSayThatNobodyAnswers() throws IOException {
        final int port = FreePort.tcp(InetAddress.getLoopbackAddress());

        assertThat(refused(ChannelUri.parse("rabbitmq://127.0.0.1:" + port)))
                .hasMessageContaining("no RabbitMQ server answers there (Connection refused)")
                .hasMessageContaining("?start");
    }

    /** It takes the connection and says nothing. */
    @Test
    void shouldSayThatASilentServerIsNone() throws Exception {
        final Consumer<UserError> sentence =
                said ->
                        assertThat(said)
                                .hasMessageContaining(
                                        "no RabbitMQ server answers there: what listens does not speak its")
                                .hasMessageContaining("(no answer in time)")
                                .hasMessageContaining("?start");
        try (SilentServer silent = new SilentServer()) {
            silent.refuses(rabbitmq, "", folder, sentence);
        }
    }

    @Test
    void shouldSayThatTheUserIsNotLetIn() throws IOException {
        final Path file = Files.writeString(folder.resolve("password"), "wrong\n");

        assertThat(refused(SharedRabbitmq.given().with("passwordFile", file.toString())))
                .hasMessageContaining("refuses the user 'guest' (ACCESS_REFUSED")
                .hasMessageContaining("?passwordFile=")
                .message()
                .doesNotContain("wrong");
        assertThat(refused(SharedRabbitmq.given().with("user", "nobody")))
                .hasMessageContaining("'nobody'");
    }

    @Test
    void shouldTakeThePasswordFromAFile() throws IOException {
        final Path file = Files.writeString(folder.resolve("password"), "guest\nof all\n");
        final ChannelUri channel = SharedRabbitmq.given().with("passwordFile", file.toString());

        rabbitmq.publication(channel, Topic.DEFAULT).close();

        Files.delete(file);
        assertThatThrownBy(() -> rabbitmq.publication(channel, Topic.DEFAULT).close())
                .isInstanceOfSatisfying(
                        UserError.class,
                        error -> assertThat(error.kind()).isEqualTo(UserError.Kind.USAGE))
                .hasMessageContaining("does not exist");
    }

    @Test
    void shouldSayThatTheVirtualHostIsNotThere() {
        assertThat(refused(SharedRabbitmq.given().with("virtualHost", "elsewhere")))
                .hasMessageContaining("vhost elsewhere not found")
                .hasMessageContaining("?virtualHost=");
    }

    @Test
    void shouldSayThatAQueueHasOtherSettings() {
        final ChannelUri channel = SharedRabbitmq.given();
        rabbitmq.durablePublication(channel, Topic.DEFAULT).close();

        assertThat(refusedToStore(channel.with("queue", "quorum")))
                .hasFieldOrPropertyWithValue("kind", UserError.Kind.ENVIRONMENT)
                .hasMessageContaining(".tickmark.stored' exists with other settings")
                .hasMessageContaining("x-queue-type")
                .hasMessageContaining("?queue=");
    }

    @Test
    void shouldSayThatAnExchangeHasOtherSettings() throws IOException {
        final ChannelUri channel = SharedRabbitmq.given();
        final Connection connection = RabbitmqConnections.connect(rabbitmq.channel(channel));
        connection.createChannel().exchangeDeclare(channel.parameters().get("prefix"), "fanout");
        RabbitmqConnections.end(connection);

        assertThat(refused(channel))
                .hasFieldOrPropertyWithValue("kind", UserError.Kind.ENVIRONMENT)
                .hasMessageContaining("delete it there, or give ?prefix=")
                .hasMessageContaining("inequivalent arg 'type' for exchange");
    }

    /** As where the server ends between the connection and what is opened by it. */
    @Test
    void shouldSayThatTheConnectionBrokeBeforeAnythingWasOpened() {
        final RabbitmqLink link = new RabbitmqLink(rabbitmq.channel(SharedRabbitmq.given()));
        link.close();

        assertThat(checked(() -> link.publication(Topic.DEFAULT.name())))
                .hasMessageContaining("the connection to the server broke before the exchange")
                .hasMessageContaining("see the server's log");
    }

    @Test
    void shouldEndAStreamWhoseMessagesAreTooLongForTheServer() throws Exception {
        final ChannelUri channel = SharedRabbitmq.given().with("maxPayloadBytes", "1000000");
        final UnsafeBuffer longer = new UnsafeBuffer(new byte[SharedRabbitmq.MOST_BYTES + 100]);
        try (DurablePublication publication = rabbitmq.durablePublication(channel, Topic.DEFAULT)) {
            assertThat(publication.offer(longer, 0, longer.capacity())).isZero();
            until(() -> !publication.failure().isEmpty());

            assertThat(publication.offer(message, 0, 100)).isEqualTo(Publication.CLOSED);
            assertThat(publication.isLost()).isFalse();
            assertThat(publication.stablePosition()).isEqualTo(DurablePublication.NONE_STABLE);
            assertThat(publication.failure())
                    .contains("larger than configured max size")
                    .contains("?maxPayloadBytes=");
        }
        try (Publication plain = rabbitmq.publication(channel, Topic.DEFAULT)) {
            plain.offer(longer, 0, longer.capacity());
            until(() -> plain.engineErrors().isPresent());

            assertThat(plain.engineErrors().orElseThrow())
                    .contains("larger than configured max size");
        }
    }

    @Test
    void shouldSayThatATopicHasASubscriber() {
        final ChannelUri channel = SharedRabbitmq.given();
        try (DurableSubscription first = rabbitmq.durableSubscription(channel, Topic.DEFAULT, 0)) {
            final UserError error =
                    checked(() -> rabbitmq.durableSubscription(channel, Topic.DEFAULT, 0));

            assertThat(error).hasMessageContaining("has another subscriber");
            assertThat(first.isConnected()).isTrue();
        }
    }

    /** Both counted the consumers before either was one, and then shared the messages. */
    @ParameterizedTest
    @ValueSource(strings = {"classic", "quorum"})
    void shouldLetOneOfTwoConsumeThatBeginAtOnce(final String queue) throws Exception {
        final BrokerChannel<RabbitmqParameters> channel =
                rabbitmq.channel(SharedRabbitmq.given().with("queue", queue));
        final RabbitmqQueue stored = new RabbitmqQueue(channel, Topic.DEFAULT);
        final Connection one = RabbitmqConnections.connect(channel);
        final Connection other = RabbitmqConnections.connect(channel);
        final List<Channel> consuming = new ArrayList<>();
        try {
            stored.declare(one);
            // asked for between the look at the consumers and consuming
            consuming.add(
                    stored.consuming(
                            one,
                            0,
                            by -> {
                                consuming.add(consuming(stored, other));
                                return (tag, delivery) -> {};
                            }));

            assertThat(consuming).hasSize(2);
            assertThat(consuming.stream().filter(Objects::nonNull)).hasSize(1);
        } finally {
            RabbitmqConnections.end(one);
            RabbitmqConnections.end(other);
        }
    }

    private static Channel consuming(final RabbitmqQueue stored, final Connection by) {
        try {
            return stored.consuming(by, 0, its -> (tag, delivery) -> {});
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What it was not given returns to its place and comes to the next one. */
    @Test
    void shouldReadOnWithANewSubscriptionAfterOneWasDisturbed() throws Exception {
        final ChannelUri channel = SharedRabbitmq.given();
        try (DurablePublication publication = rabbitmq.durablePublication(channel, Topic.DEFAULT)) {
            for (int sent = 0; sent < 3; sent++) {
                write(publication, LENGTH);
            }
        }
        final Connection other = RabbitmqConnections.connect(rabbitmq.channel(channel));
        try {
            final Channel taking = other.createChannel();
            final String name = channel.parameters().get("prefix") + ".tickmark.stored";
            taking.basicGet(name, false);
            taking.basicGet(name, false);
            try (DurableSubscription disturbed =
                    rabbitmq.durableSubscription(channel, Topic.DEFAULT, 1)) {
                until(() -> {
                    assertThat(disturbed.poll((buffer, offset, length) -> {}, 1)).isZero();
                    return !disturbed.isConnected();
                });
            }
        } finally {
            RabbitmqConnections.end(other);
        }

        try (DurableSubscription next = rabbitmq.durableSubscription(channel, Topic.DEFAULT, 1)) {
            until(() -> next.poll((buffer, offset, length) -> {}, 1) > 0);
            assertThat(next.ordinal()).isOne();
        }
    }

    /**
     * A queue whose messages were all read and acknowledged still shows where a topic ends; so does
     * a reader.
     */
    @ParameterizedTest
    @ValueSource(strings = {"classic", "quorum"})
    void shouldGoOnCountingWhereAllWasAcknowledged(final String queue) throws Exception {
        final ChannelUri channel = SharedRabbitmq.given().with("queue", queue);
        try (DurableSubscription subscription =
                rabbitmq.durableSubscription(channel, Topic.DEFAULT, 0)) {
            for (int sent = 0; sent < 10; sent++) {
                try (DurablePublication publication =
                        rabbitmq.durablePublication(channel, Topic.DEFAULT)) {
                    assertThat(publication.stablePosition()).isEqualTo(sent - 1);
                    assertThat(publication.offer(message, 0, 100)).isEqualTo(sent);
                    until(() -> subscription.poll((buffer, offset, length) -> {}, 1) > 0);
                    subscription.acknowledge(subscription.ordinal());
                }
            }
        }
        try (DurablePublication publication = rabbitmq.durablePublication(channel, Topic.DEFAULT)) {
            assertThat(publication.nextOrdinal()).isEqualTo(10);
        }
    }

    @Test
    void shouldReportThatSomebodyElseWrites() throws Exception {
        final ChannelUri channel = SharedRabbitmq.given();
        try (DurablePublication one = rabbitmq.durablePublication(channel, Topic.DEFAULT);
                DurablePublication other = rabbitmq.durablePublication(channel, Topic.DEFAULT);
                DurableSubscription subscription =
                        rabbitmq.durableSubscription(channel, Topic.DEFAULT, 0)) {
            one.offer(message, 0, 100);
            other.offer(message, 0, 100);
            until(() -> {
                subscription.poll((buffer, offset, length) -> {}, 10);
                return subscription.engineErrors().isPresent();
            });

            assertThat(subscription.engineErrors().orElseThrow())
                    .contains("message 0 after message 0")
                    .contains("another program writes to the queue");
        }
    }

    @Test
    void shouldNotCallLostWhatCannotBeRead() {
        final ChannelUri channel = SharedRabbitmq.given();
        try (StoreServer store = rabbitmq.store(channel, folder)) {
            store.start();
            try (DurableSubscription reader =
                    rabbitmq.durableSubscription(store.endpoint(), Topic.DEFAULT, 0)) {
                final UserError error =
                        checked(() -> store.readBack(Topic.DEFAULT, 0, (b, o, l) -> {}));

                assertThat(error).hasMessageContaining("has another reader");
                assertThat(reader.isConnected()).isTrue();
            }
        }
    }

    @Test
    void shouldDeleteTheQueuesOfAStoreAtAServerThatIsNotOurs() throws IOException {
        final ChannelUri used;
        try (StoreServer store = rabbitmq.store(SharedRabbitmq.given(), folder)) {
            store.start();
            used = store.endpoint();
            rabbitmq.durablePublication(used, Topic.DEFAULT).close();
            assertThat(store.verify(Topic.DEFAULT))
                    .isEqualTo(new StoreServer.Verification(0, 0, 0));
        }
        final Connection connection = RabbitmqConnections.connect(rabbitmq.channel(used));
        final String queue = used.parameters().get("prefix") + ".tickmark.stored";
        final IOException error =
                catchThrowableOfType(
                        IOException.class,
                        () -> connection.createChannel().queueDeclarePassive(queue));
        RabbitmqConnections.end(connection);

        assertThat(RabbitmqConnections.said(error)).contains("no queue '" + queue);
    }

    @Test
    void shouldCountAnAcknowledgementThatItsServerDidNotTake() throws Exception {
        final ChannelUri channel = SharedRabbitmq.given().with("prefetch", "10");
        try (DurablePublication publication = rabbitmq.durablePublication(channel, Topic.DEFAULT);
                DurableSubscription stored =
                        rabbitmq.durableSubscription(channel, Topic.DEFAULT, 0);
                Publication sending = rabbitmq.publication(channel, Topic.DEFAULT);
                Subscription plain = rabbitmq.subscription(channel, Topic.DEFAULT)) {
            for (int i = 0; i < 3; i++) {
                publication.offer(message, 0, 100);
                sending.offer(message, 0, 100);
            }
            until(() -> {
                stored.poll((buffer, offset, length) -> {}, 1);
                return stored.ordinal() == 2;
            });
            until(() -> plain.poll((buffer, offset, length) -> {}, 1) == 1);
            SharedRabbitmq.store().kill(1);
            until(() -> !stored.isConnected() && !plain.isConnected());

            stored.acknowledge(2);
            stored.acknowledge(2);
            stored.poll((buffer, offset, length) -> {}, 1);
            until(() -> {
                plain.poll((buffer, offset, length) -> {}, 1); // which acknowledges the one before
                return plain.facts().get("acknowledgementsRefused").equals(1L);
            });

            assertThat(stored.engineErrors().orElseThrow())
                    .contains("The server did not accept an acknowledgement");
            assertThat(stored.facts()).containsEntry("acknowledgementsRefused", 1L);
            assertThat(plain.engineErrors().orElseThrow())
                    .contains("An acknowledgement of received messages was not sent");
        } finally {
            SharedRabbitmq.store().restart(1);
        }
    }

    /** It reads nothing more from those who publish ("Memory Alarms" of RabbitMQ). */
    @Test
    void shouldRefuseAndSayItWhileTheServerIsShortOfMemory() throws Exception {
        final ChannelUri channel = narrow();
        try (Publication plain = rabbitmq.publication(channel, Topic.DEFAULT);
                DurablePublication stored = rabbitmq.durablePublication(channel, Topic.DEFAULT);
                Subscription subscription = rabbitmq.subscription(channel, Topic.DEFAULT)) {
            untilMessagesPass(plain, subscription);
            limitMemory("{absolute,1}");
            try {
                until(() -> {
                    plain.offer(message, 0, LENGTH);
                    return plain.engineErrors().isPresent();
                });
                assertThat(plain.engineErrors().orElseThrow())
                        .startsWith("The server accepts no messages now (")
                        .endsWith("); see its memory and disk.");
                until(() -> plain.offer(message, 0, 65_536) == Publication.BACK_PRESSURED);
                until(() -> {
                    stored.offer(message, 0, 65_536);
                    return stored.trouble().contains("the server accepts nothing");
                });
            } finally {
                limitMemory("0.4");
            }
            until(() -> plain.engineErrors().isEmpty());
            untilMessagesPass(plain, subscription);
            assertThat((long) plain.facts().get("serverAlarms")).isPositive();
            assertThat((long) stored.facts().get("serverAlarms")).isPositive();
            assertThat(plain.isCount("serverAlarms")).as("of several topics").isTrue();
            assertThat(stored.isCount("serverAlarms")).as("of several topics").isTrue();
        }
    }

    /** A thread of ours is stuck in writing, and whatever the client writes comes after that. */
    @Test
    void shouldCloseThoughTheServerReadsNothing() throws Exception {
        final Publication plain = rabbitmq.publication(narrow(), Topic.DEFAULT);
        final DurablePublication stored =
                rabbitmq.durablePublication(SharedRabbitmq.given(), Topic.DEFAULT);
        limitMemory("{absolute,1}");
        try {
            untilStuck(plain);
            untilStuck(stored);

            Closing.soon("both publications", List.of(stored, plain));
        } finally {
            limitMemory("0.4");
        }
    }

    /** A server that is not ours ends what leaves a message unanswered (consumer_timeout). */
    @Test
    void shouldSayThatTheServerEndedASubscriptionAndGoOn() throws Exception {
        final ChannelUri channel = SharedRabbitmq.given();
        // they read a queue to its end when they are opened, and may stand still meanwhile
        try (Publication publication = rabbitmq.publication(channel, Topic.DEFAULT);
                DurablePublication storing = rabbitmq.durablePublication(channel, Topic.DEFAULT)) {
            lookEvery(250);
            answerWithin(500);
            try (Subscription plain = rabbitmq.subscription(channel, Topic.DEFAULT);
                    DurableSubscription stored =
                            rabbitmq.durableSubscription(channel, Topic.DEFAULT, 0)) {
                answerWithin(86_400_000);
                untilMessagesPass(publication, plain);
                write(storing, LENGTH);

                until(
                        () -> "ended: " + plain.engineErrors() + ", " + stored.engineErrors(),
                        () ->
                                plain.engineErrors().isPresent()
                                        && stored.engineErrors().isPresent());
                assertThat(plain.engineErrors().orElseThrow())
                        .startsWith("The server ended a subscription (PRECONDITION_FAILED - ");
                assertThat(stored.engineErrors().orElseThrow()).contains("PRECONDITION_FAILED - ");
                assertThat(stored.isConnected()).isFalse();
                // messages from before may still be there to be polled
                until(
                        () -> "opened again: " + plain.engineErrors(),
                        () -> plain.facts().get("reconnects").equals(1L));
                untilMessagesPass(publication, plain);
                assertThat(plain.facts()).containsEntry("closedByServer", 1L);
                assertThat(plain.isCount("closedByServer")).as("of several topics").isTrue();

                SharedRabbitmq.store().kill(1);
                try {
                    until(
                            () -> "broken: " + plain.engineErrors(),
                            () ->
                                    plain.engineErrors()
                                            .orElseThrow()
                                            .contains("The connection to the server broke"));
                } finally {
                    SharedRabbitmq.store().restart(1);
                }
            }
        } finally {
            answerWithin(86_400_000);
            lookEvery(60_000);
        }
    }

    /** Of channels that are opened from now on. */
    private static void answerWithin(final long ms) throws Exception {
        ErlangCall.make(
                SharedRabbitmq.folder(),
                "application set_env [rabbit,consumer_timeout,%d]".formatted(ms));
    }

    /** Each time that it has looked who has not answered, a channel asks when to do it again. */
    private static void lookEvery(final long ms) throws Exception {
        ErlangCall.make(
                SharedRabbitmq.folder(),
                "application set_env [rabbit,channel_tick_interval,%d]".formatted(ms));
    }

    /**
     * It takes the first message that a connection publishes, or none, and then reads nothing more
     * from it: an end is found by one that does nothing else, or not at all.
     */
    @Test
    void shouldSayAtOnceThatAServerIsShortFromTheStart() throws Exception {
        final ChannelUri channel = SharedRabbitmq.given();
        rabbitmq.durablePublication(channel, Topic.DEFAULT).close(); // the queue is there
        limitMemory("{absolute,1}");
        try {
            for (int attempt = 0; attempt < 2; attempt++) {
                assertThat(troubleOf(channel))
                        .containsAnyOf(
                                "the server accepts no messages now (low on memory)",
                                "the server accepts nothing")
                        .doesNotContain("another reader");
            }
        } finally {
            limitMemory("0.4");
        }
        until(() -> {
            try (DurablePublication publication =
                    rabbitmq.durablePublication(channel, Topic.DEFAULT)) {
                return publication.offer(message, 0, LENGTH) > 0;
            } catch (final UserError e) {
                return false; // it has not noticed yet that there is room again
            }
        });
    }

    /** Why nothing can be stored, as an error of opening or of the publication. */
    private String troubleOf(final ChannelUri channel) {
        try (DurablePublication stored = rabbitmq.durablePublication(channel, Topic.DEFAULT)) {
            until(() -> {
                stored.offer(message, 0, 65_536);
                return !stored.trouble().isEmpty();
            });
            return stored.trouble();
        } catch (final UserError e) {
            return e.getMessage();
        }
    }

    /** It reads nothing more from those who publish ("Free Disk Space Alarms" of RabbitMQ). */
    @Test
    void shouldSayThatTheServerIsLowOnDiskAndFindAgainWhatItConfirmed() throws Exception {
        final ChannelUri channel =
                ChannelUri.parse("rabbitmq:?deletion=kept&prefix=" + SharedRabbitmq.prefix());
        try (StoreServer store = SharedRabbitmq.transport().store(channel, folder)) {
            store.start();
            final long confirmed;
            try (DurablePublication publication =
                    rabbitmq.durablePublication(
                            store.endpoint().with("sendPendingBytes", "262144"), Topic.DEFAULT)) {
                write(publication, LENGTH);
                keepFree("1000000000000000");
                until(() -> {
                    publication.offer(message, 0, LENGTH);
                    return publication
                            .trouble()
                            .contains(
                                    "the server accepts nothing (low on disk): its disk has less than 50 MB"
                                            + " free; make room there, or name another --store-directory");
                });
                until(() -> publication.offer(message, 0, 65_536) == Publication.BACK_PRESSURED);
                assertThat(publication.isLost()).isFalse();
                confirmed = publication.stablePosition();
            } finally {
                keepFree("50000000");
            }

            final long[] found = {0};
            until(() -> {
                try {
                    found[0] = store.readBack(Topic.DEFAULT, 0, (buffer, offset, length) -> {});
                    return true;
                } catch (final UserError e) {
                    return false; // it has not noticed yet that there is room again
                }
            });
            assertThat(found[0]).isGreaterThan(confirmed);
        }
    }

    private static void keepFree(final String bytes) throws Exception {
        ErlangCall.make(
                SharedRabbitmq.folder(),
                "rabbit_disk_monitor set_disk_free_limit [%s]".formatted(bytes));
    }

    private static void limitMemory(final String limit) throws Exception {
        ErlangCall.make(
                SharedRabbitmq.folder(),
                "vm_memory_monitor set_vm_memory_high_watermark [%s]".formatted(limit));
    }

    /** Also for a server that was killed. */
    @Test
    void shouldLeaveNoPortMapperBehind() throws Exception {
        final int mapper;
        final Path started;
        try (Exchange own =
                rabbitmq.exchange(
                        ChannelUri.parse("rabbitmq:"), Topic.DEFAULT, ExchangeSide.BIND, 0)) {
            started = own(own.channel());
            mapper = ErlangCall.mapperPort(started.resolve("member-1"));
            assertThat(listens(mapper)).isTrue();
        }

        until(() -> !listens(mapper));
        assertThat(started).doesNotExist();
    }

    /** The folder of the server that listens at a channel's address. */
    private static Path own(final ChannelUri channel) throws IOException {
        final String listener = "listeners.tcp.1 = " + channel.authority();
        try (Stream<Path> folders = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            for (final Path each :
                    folders.filter(name -> name.toString().contains("tickmark-rabbitmq-"))
                            .toList()) {
                final Path configuration = each.resolve("member-1/rabbitmq.conf");
                if (Files.exists(configuration)
                        && Files.readString(configuration).contains(listener)) {
                    return each;
                }
            }
        }
        throw new AssertionError("no folder has a server at " + channel);
    }

    private static boolean listens(final int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (final IOException e) {
            return false;
        }
    }
}
