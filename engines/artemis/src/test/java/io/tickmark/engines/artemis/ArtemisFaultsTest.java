package io.tickmark.engines.artemis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.host.FreePort;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerStoreTransport;
import io.tickmark.transport.broker.QueueFaultTests;
import io.tickmark.transport.broker.SilentServer;
import io.tickmark.transport.broker.Standstill;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.StoreServer;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQNotConnectedException;
import org.apache.activemq.artemis.api.core.ActiveMQObjectClosedException;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.management.ManagementHelper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Messages to the user where a server does not match a channel, and servers that stop and restart.
 */
@ExtendWith(SharedArtemis.class)
@Timeout(180)
class ArtemisFaultsTest extends QueueFaultTests {
    private static final int ANSWER_TIMEOUT_MS = 30_000;

    private final ArtemisTransport artemis = new ArtemisTransport();

    @Override
    protected BrokerStoreTransport<?> transport() {
        return artemis;
    }

    @Test
    void shouldSayThatNobodyAnswers() throws IOException {
        final int port = FreePort.tcp(InetAddress.getLoopbackAddress());

        assertThat(refused(ChannelUri.parse("artemis://127.0.0.1:" + port)))
                .hasMessageContaining("no Artemis server answers there")
                .hasMessageContaining("start one, or let it be started with ?start.");
    }

    /** It takes the connection and says nothing. */
    @Test
    void shouldSayThatASilentServerIsNone() throws Exception {
        final Consumer<UserError> sentence =
                said ->
                        assertThat(said)
                                .hasMessageContaining(
                                        "no Artemis server answers there: what listens does not speak its")
                                .hasMessageContaining("?start");
        try (SilentServer silent = new SilentServer()) {
            silent.refuses(artemis, "", folder, sentence);
        }
    }

    @Test
    void shouldSayWhomTheServerRefuses() throws Exception {
        final Path wrong = Files.writeString(folder.resolve("wrong"), "guessed\n");
        final Path right = Files.writeString(folder.resolve("right"), GivenArtemis.PASSWORD);
        try (GivenArtemis server = new GivenArtemis(folder, true)) {
            assertThat(refused(server.channel("user=tester&passwordFile=" + wrong)))
                    .hasMessageContaining("the server refuses the user 'tester'")
                    .hasMessageContaining("give ?user= and ?passwordFile= of a user who may")
                    .message()
                    .doesNotContain("guessed");
            assertThat(refused(server.channel("prefix=any")))
                    .hasMessageContaining("the server refuses clients without a user");

            final ChannelUri channel = server.channel("user=tester&passwordFile=" + right);
            try (Publication publication = artemis.publication(channel, Topic.DEFAULT)) {
                assertThat(publication.facts())
                        .containsEntry("server", "Artemis, which does not report its version");
            }
            final StoreServer store = artemis.store(channel, folder);
            store.start();
            assertThat(checked(store::close))
                    .hasMessageContaining("does not report its queueNames");
        }
    }

    /** The server's journal has a buffer of 490 KiB: larger messages are in files of their own. */
    @Test
    void shouldStoreMessagesThatExceedTheJournalOfAGivenServer() throws Exception {
        try (GivenArtemis server = new GivenArtemis(folder, false)) {
            final ChannelUri channel = server.channel("prefix=large");
            try (DurablePublication publication =
                    artemis.durablePublication(channel, Topic.DEFAULT)) {
                message.setMemory(0, 900_000, (byte) 7);
                write(publication, 900_000);
            }
            try (DurableSubscription subscription =
                    artemis.durableSubscription(channel, Topic.DEFAULT, 0)) {
                until(() ->
                        subscription.poll(
                                        (buffer, offset, length) -> {
                                            assertThat(length).isEqualTo(900_000);
                                            assertThat(buffer.getByte(offset + length - 1))
                                                    .isEqualTo((byte) 7);
                                        },
                                        1)
                                == 1);
                assertThat(subscription.engineErrors()).isEmpty();
            }
        }
    }

    @Test
    void shouldReportThatTheServerWasKilledAndGoOnOnceItIsBack() {
        final ChannelUri channel = SharedArtemis.given();
        try (Publication publication = artemis.publication(channel, Topic.DEFAULT);
                Subscription subscription = artemis.subscription(channel, Topic.DEFAULT)) {
            SharedArtemis.store().kill(1);
            try {
                until(() -> !subscription.isConnected());
                until(() -> publication.offer(message, 0, LENGTH) == Publication.NOT_CONNECTED);
                until(() -> subscription.engineErrors().isPresent());
                assertThat(subscription.engineErrors().orElseThrow())
                        .startsWith("The connection to the server broke (")
                        .contains("; see whether it runs, and what its log says.");
            } finally {
                SharedArtemis.store().restart(1);
            }

            untilMessagesPass(publication, subscription);

            assertThat(publication.facts()).containsEntry("reconnects", 1L);
            assertThat(subscription.facts()).containsEntry("reconnects", 1L);
            assertThat(subscription.engineErrors())
                    .hasValueSatisfying(sentence ->
                            assertThat(sentence)
                                    .startsWith("The connection to the server broke (")
                                    .contains("messages sent meanwhile may be missing"));
            message.putByte(0, (byte) 1);
            until(() -> publication.offer(message, 0, LENGTH) > 0);
            final int[] last = {0};
            until(() -> {
                subscription.poll((buffer, offset, length) -> last[0] += buffer.getByte(offset), 9);
                return last[0] > 0;
            });
            assertThat(last[0]).as("it comes once").isOne();
        }
        try (Publication publication = artemis.publication(channel, Topic.DEFAULT);
                Subscription subscription = artemis.subscription(channel, Topic.DEFAULT)) {
            untilMessagesPass(publication, subscription);
            assertThat(publication.engineErrors()).isEmpty();
        }
    }

    /** Nobody knows what became of them, and they must not count as under way for ever. */
    @Test
    void shouldCountWhatWasInFlightWhenTheServerWasKilledAndGoOn() throws Exception {
        final ChannelUri channel = SharedArtemis.given().with("maxFlight", "64");
        try (Publication publication = artemis.publication(channel, Topic.DEFAULT);
                Subscription subscription = artemis.subscription(channel, Topic.DEFAULT)) {
            final Thread killer;
            try (Standstill _ = new Standstill()) {
                for (int sent = 0; sent < 64; sent++) {
                    assertThat(publication.offer(message, 0, LENGTH)).isPositive();
                }
                assertThat(publication.offer(message, 0, LENGTH))
                        .isEqualTo(Publication.BACK_PRESSURED);
                // it waits for a shell that stands still, too
                killer = Thread.ofPlatform().start(() -> SharedArtemis.store().kill(1));
                until(() -> !subscription.isConnected());
            }
            killer.join();

            SharedArtemis.store().restart(1);

            untilMessagesPass(publication, subscription);
            assertThat(publication.facts()).containsEntry("sendFailures", 64L);
            assertThat(publication.engineErrors().orElseThrow())
                    .contains(
                            "64 messages that the client had accepted were not acknowledged, the first: the connection broke"
                                    + " before.");
        }
    }

    /** It is unknown, and not damaged: its message is not compared with its checksum. */
    @Test
    void shouldNotCallDamagedALargeMessageWhoseConnectionBroke() {
        final ClientMessage message =
                (ClientMessage)
                        Proxy.newProxyInstance(
                                ArtemisFaultsTest.class.getClassLoader(),
                                new Class<?>[] {ClientMessage.class},
                                (proxy, method, arguments) -> {
                                    if (method.getName().equals("isLargeMessage")) {
                                        return true;
                                    }
                                    throw new ActiveMQNotConnectedException("it broke");
                                });

        assertThatThrownBy(() -> ArtemisQueue.stored(message))
                .isInstanceOf(ActiveMQNotConnectedException.class);
    }

    /** A slow subscriber's client has a limit, and its server keeps the rest. */
    @Test
    void shouldLoseNothingWhereASubscriberIsSlow() {
        final ChannelUri channel =
                SharedArtemis.given()
                        .with("receivePendingBytes", "1024")
                        .with("consumerWindowBytes", "1024");
        try (Publication publication = artemis.publication(channel, Topic.DEFAULT);
                Subscription subscription = artemis.subscription(channel, Topic.DEFAULT)) {
            for (int sent = 0; sent < 1000; sent++) {
                until(() -> publication.offer(message, 0, LENGTH) > 0);
            }
            final long[] received = {0};
            until(() -> {
                received[0] += subscription.poll((buffer, offset, length) -> {}, 100);
                return received[0] == 1000;
            });
            assertThat(subscription.lost()).isZero();
        }
    }

    /** Its connection stood, so nobody opened another one. */
    @Test
    void shouldNotBeConnectedOnceItHasStoppedBrowsing() {
        final BrokerChannel<ArtemisParameters> channel =
                artemis.channel(SharedArtemis.given().with("deletion", "kept"));
        for (final Exception end :
                List.of(
                        new ActiveMQObjectClosedException("it is closed"),
                        new IllegalStateException("it is odd."))) {
            try (ArtemisQueueSubscription subscription =
                    new ArtemisQueueSubscription(
                            channel, new ArtemisQueue(channel, Topic.DEFAULT), 0)) {
                assertThat(subscription.isConnected()).isTrue();

                subscription.browse(
                        failing(ClientSession.class, end),
                        SimpleString.of("any"),
                        failing(ClientConsumer.class, end),
                        0);

                assertThat(subscription.isConnected()).isFalse();
                assertThat(subscription.engineErrors())
                        .isEqualTo(
                                end instanceof ActiveMQException
                                        ? Optional.empty()
                                        : Optional.of(
                                                "Reading the queue met a problem: it delivers no more messages (it is odd)."));
            }
        }
    }

    private static <T> T failing(final Class<T> type, final Exception end) {
        return type.cast(
                Proxy.newProxyInstance(
                        ArtemisFaultsTest.class.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) -> {
                            throw end;
                        }));
    }

    /** Their client knew it, and nobody asked. */
    @Test
    void shouldNoticeThatTheServerEndedAConsumerWithItsQueue() throws Exception {
        final ChannelUri channel = SharedArtemis.given();
        try (Publication publication = artemis.publication(channel, Topic.DEFAULT);
                Subscription plain = artemis.subscription(channel, Topic.DEFAULT);
                DurableSubscription stored =
                        artemis.durableSubscription(channel, Topic.DEFAULT, 0)) {
            untilMessagesPass(publication, plain);
            assertThat(stored.isConnected()).isTrue();

            deleteQueues(channel);

            until(() -> !stored.isConnected());
            until(() -> {
                plain.poll((buffer, offset, length) -> {}, 100);
                return plain.facts().get("reconnects").equals(1L);
            });
            message.putByte(0, (byte) 1);
            final boolean[] isNew = {false};
            until(() -> {
                publication.offer(message, 0, LENGTH);
                plain.poll(
                        (buffer, offset, length) -> isNew[0] |= buffer.getByte(offset) == 1, 100);
                return isNew[0];
            });
        }
    }

    /** Of a prefix, with whoever consumes them, as an administrator may do. */
    private void deleteQueues(final ChannelUri channel) throws Exception {
        try (ArtemisClient other = new ArtemisClient(artemis.channel(channel))) {
            final ClientSession session = other.session(true);
            for (final Object name : (Object[]) ArtemisClient.attribute(session, "queueNames")) {
                if (name.toString().startsWith(channel.parameters().get("prefix") + ".")) {
                    final ClientMessage question = session.createMessage(false);
                    ManagementHelper.putOperationInvocation(
                            question, "broker", "destroyQueue", name, true);
                    final ClientMessage answer =
                            ArtemisClient.ask(
                                    session, "activemq.management", question, ANSWER_TIMEOUT_MS);
                    assertThat(ManagementHelper.hasOperationSucceeded(answer)).isTrue();
                }
            }
        }
    }

    @Test
    void shouldSayThatAQueueHasOtherSettings() {
        final ChannelUri channel = SharedArtemis.given();
        artemis.durablePublication(channel, Topic.DEFAULT).close();

        assertThat(
                        checked(() ->
                                artemis.durablePublication(
                                                channel.with("deletion", "kept"), Topic.DEFAULT)
                                        .close()))
                .hasMessageContaining("exists with another ?deletion");
    }

    /** Somebody has made it, and what the server acknowledges could be gone. */
    @ParameterizedTest
    @EnumSource
    void shouldRefuseAQueueThatMayLoseMessages(final LosingQueue made) throws Exception {
        final ChannelUri channel = SharedArtemis.given();
        final String name = new ArtemisQueue(artemis.channel(channel), Topic.DEFAULT).name();
        final QueueConfiguration usual =
                QueueConfiguration.of(name).setAddress(name).setRoutingType(RoutingType.MULTICAST);
        try (ArtemisClient other = new ArtemisClient(artemis.channel(channel));
                ClientSession session = other.session(false)) {
            session.createQueue(made.settings.apply(usual));
        }

        final String sentence = "the queue '%s' %s".formatted(name, made.sentence);
        assertThat(checked(() -> artemis.durablePublication(channel, Topic.DEFAULT).close()))
                .hasMessageContaining(sentence)
                .hasMessageEndingWith("delete the queue, or give ?prefix=.");
        assertThat(checked(() -> artemis.durableSubscription(channel, Topic.DEFAULT, 0).close()))
                .hasMessageContaining(sentence);
    }

    private enum LosingQueue {
        DISABLED(queue -> queue.setEnabled(false), "is disabled, so that it gets no messages"),
        TRANSIENT(queue -> queue.setDurable(false), "is not durable, so that a restart"),
        RING(queue -> queue.setRingSize(3L), "keeps only so many messages (ring-size)"),
        PURGED(
                queue -> queue.setPurgeOnNoConsumers(true),
                "is emptied when its last subscriber goes (purge-on-no-consumers)");

        private final UnaryOperator<QueueConfiguration> settings;
        private final String sentence;

        LosingQueue(final UnaryOperator<QueueConfiguration> settings, final String sentence) {
            this.settings = settings;
            this.sentence = sentence;
        }
    }

    @Test
    void shouldSayThatAQueueTakesOnlyPartOfTheMessages() throws Exception {
        final ChannelUri channel = SharedArtemis.given();
        final String name = new ArtemisQueue(artemis.channel(channel), Topic.DEFAULT).name();
        try (ArtemisClient other = new ArtemisClient(artemis.channel(channel));
                ClientSession session = other.session(false)) {
            session.createQueue(
                    QueueConfiguration.of(name)
                            .setAddress(name)
                            .setRoutingType(RoutingType.MULTICAST)
                            .setFilterString("price > 1"));
        }

        assertThat(checked(() -> artemis.durablePublication(channel, Topic.DEFAULT).close()))
                .hasFieldOrPropertyWithValue("kind", UserError.Kind.ENVIRONMENT)
                .hasMessageContaining("the queue '%s' exists with other settings (".formatted(name))
                .hasMessageEndingWith("; delete it, or give ?prefix=.");
    }

    @Test
    void shouldTellThatSomebodyElseWrites() {
        final ChannelUri channel = SharedArtemis.given();
        try (DurablePublication one = artemis.durablePublication(channel, Topic.DEFAULT);
                DurablePublication other = artemis.durablePublication(channel, Topic.DEFAULT);
                DurableSubscription subscription =
                        artemis.durableSubscription(channel, Topic.DEFAULT, 0)) {
            write(one, LENGTH);
            write(other, LENGTH);
            until(() -> {
                subscription.poll((buffer, offset, length) -> {}, 10);
                return subscription.engineErrors().isPresent();
            });

            assertThat(subscription.engineErrors().orElseThrow())
                    .contains("message 0 after message 0", "another program writes to the queue");
        }
    }

    /** Its ordinal would be that of a message that was never sent. */
    @Test
    void shouldBelieveNothingThatADamagedMessageSays() throws Exception {
        final StoreServer store = artemis.store(SharedArtemis.given(), folder);
        store.start();
        final ChannelUri channel = store.endpoint();
        try (DurablePublication publication = artemis.durablePublication(channel, Topic.DEFAULT)) {
            write(publication, LENGTH);
        }
        try (ArtemisClient other = new ArtemisClient(artemis.channel(channel))) {
            final ClientSession session = other.session(true);
            final ClientMessage damaged = ArtemisQueue.message(session, 1, new byte[LENGTH]);
            damaged.putLongProperty(ArtemisQueue.ORDINAL, 1_000_000);
            try (ClientProducer producer =
                    session.createProducer(
                            new ArtemisQueue(artemis.channel(channel), Topic.DEFAULT).name())) {
                producer.send(damaged);
            }
        }

        assertThat(store.verify(Topic.DEFAULT).messages()).isOne();
        try (DurablePublication publication = artemis.durablePublication(channel, Topic.DEFAULT)) {
            assertThat(publication.nextOrdinal()).isOne();
        }
        try (DurableSubscription subscription =
                artemis.durableSubscription(channel, Topic.DEFAULT, 0)) {
            until(() -> {
                subscription.poll((buffer, offset, length) -> {}, 1);
                return subscription.engineErrors().isPresent();
            });
            assertThat(subscription.ordinal()).isZero();
            subscription.acknowledge(0);
        }
        store.close();
    }

    /** The server returns to the queue what a subscriber had, a moment after that is gone. */
    @Test
    void shouldReadBackWhatASubscriberHadThatIsGone() {
        final StoreServer store = artemis.store(SharedArtemis.given(), folder);
        store.start();
        final ChannelUri channel = store.endpoint();
        try (DurablePublication publication = artemis.durablePublication(channel, Topic.DEFAULT)) {
            for (int sent = 0; sent < 200; sent++) {
                write(publication, LENGTH);
            }
        }
        for (int round = 0; round < 5; round++) {
            final DurableSubscription subscription =
                    artemis.durableSubscription(channel, Topic.DEFAULT, 0);
            until(() -> subscription.poll((buffer, offset, length) -> {}, 1) > 0);
            subscription.close();

            assertThat(store.readBack(Topic.DEFAULT, 0, (buffer, offset, length) -> {}))
                    .isEqualTo(200);
        }
        store.close();
    }

    @Test
    void shouldDeleteTheQueuesOfAStoreAtAServerThatIsNotOurs() {
        final StoreServer store = artemis.store(SharedArtemis.given(), folder);
        store.start();
        try (DurablePublication publication =
                artemis.durablePublication(store.endpoint(), Topic.DEFAULT)) {
            write(publication, LENGTH);
            assertThat(publication.facts()).containsEntry("durability", "D2 synced, claimed");
        }
        assertThat(store.verify(Topic.DEFAULT).messages()).isOne();
        store.close();

        assertThat(store.verify(Topic.DEFAULT).messages()).isZero();
    }

    @Test
    void shouldRefuseFurtherMessagesWhereTheKeptOnesFillItsMemory() {
        try (StoreServer store =
                artemis.store(
                        ChannelUri.parse("artemis:?deletion=kept&serverHeapMib=128"), folder)) {
            store.start();
            try (DurablePublication publication =
                    artemis.durablePublication(store.endpoint(), Topic.DEFAULT)) {
                until(() -> publication.offer(message, 0, 500_000) == Publication.CLOSED);

                assertThat(publication.failure())
                        .contains("was refused", "?serverHeapMib", "?deletion=acknowledged");
                assertThat(publication.stablePosition()).isPositive();
            }
        }
    }

    /** Such a server gives senders no credit, and this client asks for none. */
    @Test
    @Timeout(30)
    void shouldStoreAtAServerThatIsAboveTheLimitOfItsDisk() throws Exception {
        try (GivenArtemis server = GivenArtemis.aboveItsDiskLimit(folder)) {
            final ChannelUri channel = server.channel("prefix=low");
            try (DurablePublication publication =
                    artemis.durablePublication(channel, Topic.DEFAULT)) {
                write(publication, LENGTH);
                write(publication, LENGTH);
            }
            try (DurableSubscription subscription =
                    artemis.durableSubscription(channel, Topic.DEFAULT, 0)) {
                untilRead(subscription, 0, 2);
            }
        }
    }

    /** From the beginning, from the middle of what is on its disk, and what is written later. */
    @Test
    void shouldReadKeptMessagesThatTheServerHasPaged() throws Exception {
        final int messages = 500;
        try (GivenArtemis server = GivenArtemis.paging(folder, 100_000);
                StoreServer store = artemis.store(server.channel("deletion=kept"), folder)) {
            store.start();
            try (DurablePublication publication =
                            artemis.durablePublication(store.endpoint(), Topic.DEFAULT);
                    DurableSubscription following =
                            artemis.durableSubscription(store.endpoint(), Topic.DEFAULT, 0)) {
                for (int sent = 0; sent < messages; sent++) {
                    until(() -> publication.offer(message, 0, 1000) >= 0);
                }
                until(() -> publication.stablePosition() == messages - 1);
                untilRead(following, 0, messages);
                assertThat(store.readBack(Topic.DEFAULT, 0, (buffer, offset, length) -> {}))
                        .isEqualTo(messages);
                try (DurableSubscription later =
                        artemis.durableSubscription(
                                store.endpoint(), Topic.DEFAULT, messages - 100)) {
                    untilRead(later, messages - 100, messages);
                    write(publication, LENGTH);
                    untilRead(later, messages, messages + 1);
                    untilRead(following, messages, messages + 1);
                    assertThat(later.engineErrors()).isEmpty();
                    assertThat(following.engineErrors()).isEmpty();
                }
            }
        }
    }

    /** Each once, in order. */
    private static void untilRead(
            final DurableSubscription subscription, final int from, final int to) {
        for (long ordinal = from; ordinal < to; ordinal++) {
            until(() -> subscription.poll((buffer, offset, length) -> {}, 1) > 0);
            assertThat(subscription.ordinal()).isEqualTo(ordinal);
        }
    }
}
