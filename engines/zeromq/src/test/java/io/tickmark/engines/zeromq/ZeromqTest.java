package io.tickmark.engines.zeromq;

import static io.tickmark.transport.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.Publication;
import io.tickmark.transport.PublisherProcess;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.ServerProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.zeromq.SocketType;
import org.zeromq.ZMQ;

/** What a user is told of the other side, and how it holds this one back. */
@Timeout(180)
class ZeromqTest {
    private static final int LENGTH = 64;
    private static final int LONG = 100_000;

    private final ZeromqTransport zeromq = new ZeromqTransport();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LONG]);
    private final List<Socket> holders = new ArrayList<>();

    private Publication publication(final String channel) {
        return zeromq.publication(ChannelUri.parse(channel), Topic.DEFAULT);
    }

    private Subscription subscription(final ChannelUri channel) {
        return zeromq.subscription(channel, Topic.DEFAULT);
    }

    private Exchange exchange(final String channel, final ExchangeSide side) {
        return zeromq.exchange(ChannelUri.parse(channel), Topic.DEFAULT, side, 1);
    }

    private static int poll(final Subscription subscription) {
        return subscription.poll((buffer, offset, length) -> {}, 100);
    }

    private static String error(final Subscription subscription) {
        until(() -> {
            poll(subscription);
            return subscription.engineErrors().isPresent();
        });
        return subscription.engineErrors().orElseThrow();
    }

    private static ServerSocket listener() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    /**
     * A port that nobody else is given and at which nobody listens until a test does: Linux lets a
     * socket listen at the port of one that is only bound (SO_REUSEADDR on both).
     */
    private int reservedPort() throws IOException {
        final Socket holder = new Socket();
        holders.add(holder);
        holder.setReuseAddress(true);
        holder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return holder.getLocalPort();
    }

    @AfterEach
    void freeReservedPorts() throws IOException {
        for (final Socket holder : holders) {
            holder.close();
        }
    }

    @Test
    void shouldSayWhichPortIsTaken() throws IOException {
        try (ServerSocket taken = listener()) {
            final int port = taken.getLocalPort();
            final String words = "cannot listen on 127.0.0.1:%d (in use".formatted(port);

            assertThatThrownBy(() -> publication("zeromq://127.0.0.1:" + port))
                    .isInstanceOf(UserError.class)
                    .hasMessageStartingWith("--channel zeromq://127.0.0.1:" + port)
                    .hasMessageContaining(words);
            assertThatThrownBy(() ->
                            exchange("zeromq://127.0.0.1:0?replyPort=" + port, ExchangeSide.BIND))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining(words);
        }
    }

    @Test
    void shouldAskForThePortOfThePublisher() {
        assertThatThrownBy(() -> subscription(ChannelUri.parse("zeromq://127.0.0.1:0")))
                .isInstanceOf(UserError.class)
                .hasMessageEndingWith(
                        "port 0 cannot be connected to; give the port of the publisher.");
        assertThatThrownBy(() -> exchange("zeromq://127.0.0.1:65535", ExchangeSide.CONNECT))
                .isInstanceOf(UserError.class)
                .hasMessageEndingWith("give a lower port, or ?replyPort.");
    }

    @Test
    void shouldSayThatNobodyListensUntilSomebodyDoes() throws Exception {
        final String channel =
                "zeromq://127.0.0.1:%d?replyPort=%d".formatted(reservedPort(), reservedPort());
        try (Exchange connected = exchange(channel, ExchangeSide.CONNECT)) {
            final Subscription subscription = connected.subscription();
            assertThat(error(subscription))
                    .startsWith("Not connected: no publisher listens at tcp://127.0.0.1:")
                    .endsWith("; start the publisher, or give its address.");
            assertThat(subscription.isConnected()).isFalse();
            assertThat(connected.publication().offer(message, 0, LENGTH))
                    .isEqualTo(Publication.NOT_CONNECTED);

            try (Exchange bound = exchange(channel, ExchangeSide.BIND)) {
                assertThat(bound.channel()).isEqualTo(ChannelUri.parse(channel));
                until(() -> counts(bound.publication(), 1, subscription));
                assertThat(bound.publication().offer(message, 0, LENGTH)).isPositive();
                until(() -> poll(subscription) == 1);
                until(() -> {
                    connected.publication().doWork();
                    return connected.publication().offer(message, 0, LENGTH) > 0;
                });
                until(() -> poll(bound.subscription()) == 1);
                assertThat(connected.note()).isEmpty();
            }
        }
    }

    @Test
    void shouldSayThatWhatListensDoesNotSpeakZeromqAndComeBackWhenSomethingDoes() throws Exception {
        final ServerSocket other =
                new ServerSocket(reservedPort(), 1, InetAddress.getLoopbackAddress());
        final Thread server = Thread.ofVirtual().start(() -> greetAsAnother(other));
        try (Subscription subscription = subscription(channelTo(other))) {
            until(() ->
                    error(subscription).contains("does not answer with ZeroMQ's greeting (ZMTP)"));
            assertThat(subscription.isConnected()).isFalse();

            other.close();
            server.join();
            try (Publication publication = publication(subscription.channel().toString())) {
                until(() -> counts(publication, 1, subscription));
                assertThat(publication.offer(message, 0, LENGTH)).isPositive();
                until(() -> poll(subscription) > 0);
                assertThat(subscription.engineErrors()).isEmpty();
            }
        } finally {
            other.close();
        }
    }

    private static void greetAsAnother(final ServerSocket listener) {
        while (true) {
            try (Socket socket = listener.accept()) {
                socket.getOutputStream()
                        .write("SSH-2.0-other\r\n".getBytes(StandardCharsets.US_ASCII));
            } catch (final IOException e) {
                return; // the test has ended
            }
        }
    }

    @Test
    void shouldGiveWhatListensASecondToGreetBeforeItSaysThatItDoesNot() throws IOException {
        try (ServerSocket silent = listener()) {
            final long openedNs = System.nanoTime();
            try (Subscription subscription = subscription(channelTo(silent))) {
                until(() -> subscription.engineErrors().isPresent()); // nobody drives it

                assertThat(System.nanoTime() - openedNs).isGreaterThan(1_000_000_000);
                assertThat(subscription.engineErrors().orElseThrow())
                        .contains("does not answer with ZeroMQ's greeting (ZMTP)");
            }
        }
    }

    @Test
    void shouldSayThatWhatListensDoesNotGreetOnceItHasConnectedAnew() throws IOException {
        try (ServerSocket silent = listener()) {
            silent.setSoTimeout(120_000);
            try (Subscription subscription = subscription(channelTo(silent))) {
                assertThat(error(subscription))
                        .contains("does not answer with ZeroMQ's greeting (ZMTP)");
                for (int connections = 0; connections < 2; connections++) {
                    silent.accept().close();
                }
            }
        }
    }

    private static ChannelUri channelTo(final ServerSocket listener) {
        return ChannelUri.parse("zeromq://127.0.0.1:" + listener.getLocalPort());
    }

    @Test
    void shouldReportThatThePublisherWasKilledAndHearTheNextOne(@TempDir final Path folder)
            throws Exception {
        final ChannelUri channel = ChannelUri.parse("zeromq://127.0.0.1:" + reservedPort());
        try (Subscription subscription = subscription(channel)) {
            try (ServerProcess publisher = PublisherProcess.start(channel, folder)) {
                until(() -> poll(subscription) > 0);
                publisher.kill();
                until(() -> {
                    poll(subscription);
                    return !subscription.isConnected();
                });
            }
            assertThat(error(subscription))
                    .isEqualTo(
                            "The connection broke: tcp://%s hung up; see whether the publisher runs."
                                    .formatted(channel.authority()));

            try (ServerProcess publisher = PublisherProcess.start(channel, folder)) {
                until(() -> poll(subscription) > 0);
                assertThat(publisher.isAlive()).isTrue();
                assertThat(subscription.facts()).containsEntry("reconnects", 1);
            }
        }
    }

    @Test
    void shouldMissNothingOfAPublisherThatStoodStill(@TempDir final Path folder) throws Exception {
        final ChannelUri channel = ChannelUri.parse("zeromq://127.0.0.1:" + reservedPort());
        try (ServerProcess _ = PublisherProcess.start(channel, folder);
                Subscription subscription = subscription(channel)) {
            PublisherProcess.standStill(subscription);
        }
    }

    @Test
    void shouldReportThatAMessageIsTooLongForTheOtherSide() {
        try (Publication publication = publication("zeromq://127.0.0.1:0");
                Subscription subscription =
                        subscription(publication.channel().with("maxPayloadBytes", "512"))) {
            until(() -> counts(publication, 1, subscription));
            assertThat(publication.offer(message, 0, LONG)).isPositive();

            until(() -> poll(subscription) == 0 && subscription.lost() > 0);
            assertThat(error(subscription))
                    .isEqualTo(
                            "A message was dropped: it has 100000 bytes, which is too long for this side;"
                                    + " give both sides the same ?maxPayloadBytes.");
            assertThat(subscription.lost()).isOne();
        }
    }

    @Test
    void shouldLeaveOutAMessageOfSeveralFramesAndTakeTheNextOne() {
        try (ZMQ.Context context = ZMQ.context(1);
                ZMQ.Socket other = context.socket(SocketType.PUB);
                Subscription subscription =
                        subscription(
                                ChannelUri.parse(
                                        "zeromq://127.0.0.1:"
                                                + other.bindToRandomPort("tcp://127.0.0.1")))) {
            other.setLinger(0);
            final int[] lastLength = {0};
            until(() -> {
                other.sendMore("topic");
                other.send(new byte[LENGTH]);
                other.send(new byte[2 * LENGTH]);
                subscription.poll((buffer, offset, length) -> lastLength[0] = length, 100);
                return lastLength[0] > 0 && subscription.lost() > 0;
            });

            assertThat(lastLength[0]).isEqualTo(2 * LENGTH);
            assertThat(error(subscription))
                    .contains("it has 2 frames; publish each message as one");
        }
    }

    @Test
    void shouldPushBackAtABoundAndLoseNothing() {
        try (Publication publication =
                        publication("zeromq://127.0.0.1:0?sendHwm=10&receiveHwm=10");
                Subscription subscription = subscription(publication.channel())) {
            until(() -> counts(publication, 1, subscription));
            final int sent = fill(publication);

            assertThat(sent * LONG).isLessThan(64 << 20);
            final int[] heard = {0};
            until(() -> {
                heard[0] += poll(subscription);
                return heard[0] >= sent;
            });
            assertThat(heard[0]).isEqualTo(sent);
        }
    }

    /**
     * Offers until nothing is taken any more, which shows in what was on its way coming to rest.
     */
    private int fill(final Publication publication) {
        int taken = 0;
        for (int refusedInARow = 0; refusedInARow < 1000; ) {
            if (publication.offer(message, 0, LONG) > 0) {
                taken++;
                refusedInARow = 0;
            } else {
                refusedInARow++;
                LockSupport.parkNanos(100_000);
            }
        }
        return taken;
    }

    /** What ZeroMQ drops it tells nobody: places that are missing do. */
    @Test
    void shouldShowWhatASlowSubscriberLostByItsSequence() {
        final int count = 2000;
        try (Publication publication =
                        publication("zeromq://127.0.0.1:0?noDrop=false&sendHwm=10&receiveHwm=10");
                Subscription subscription = subscription(publication.channel())) {
            until(() -> counts(publication, 1, subscription));
            for (long sequence = 1; sequence <= count; sequence++) {
                message.putLong(0, sequence);
                assertThat(publication.offer(message, 0, LONG)).isPositive();
            }
            final long[] last = {0};
            final int[] received = {0};
            until(() -> {
                message.putLong(0, count + 1);
                publication.offer(message, 0, LENGTH);
                subscription.poll(
                        (buffer, offset, length) -> {
                            assertThat(buffer.getLong(offset)).isGreaterThanOrEqualTo(last[0]);
                            last[0] = buffer.getLong(offset);
                            received[0] += length == LONG ? 1 : 0;
                        },
                        10);
                return last[0] > count;
            });

            assertThat(received[0]).isPositive().isLessThan(count);
        }
    }

    @Test
    void shouldCountSubscribersOfOursAndTakeThoseOfOtherMakesForOne() {
        try (Publication publication = publication("zeromq://127.0.0.1:0");
                ZMQ.Context context = ZMQ.context(1)) {
            try (ZMQ.Socket _ = other(context, publication);
                    ZMQ.Socket _ = other(context, publication)) {
                until(() -> counts(publication, 1));
                try (Subscription one = subscription(publication.channel())) {
                    try (Subscription two = subscription(publication.channel())) {
                        until(() -> counts(publication, 2, one, two));
                        assertThat(two.channel()).isEqualTo(one.channel());
                    }
                    until(() -> counts(publication, 1));
                }
            }
            until(() -> counts(publication, 0));
        }
    }

    /** RFC 29/PUBSUB: what begins with neither 0 nor 1 is a message. */
    @Test
    void shouldNotTakeAMessageOfASubscriberForTheEndOfItsSubscription() {
        try (Publication publication = publication("zeromq://127.0.0.1:0");
                ZMQ.Context context = ZMQ.context(1);
                ZMQ.Socket other = context.socket(SocketType.XSUB)) {
            other.setLinger(0);
            other.send(new byte[] {1}); // goes to whoever it connects to
            connect(other, HostPort.of(publication.channel()).port());
            until(() -> counts(publication, 1));
            other.send(new byte[] {(byte) 0x80, 'a'}, ZMQ.DONTWAIT);
            other.send(new byte[] {2}, ZMQ.DONTWAIT);
            final int[] heard = {0};
            until(() -> {
                heard[0] += publication.doWork();
                return heard[0] == 2;
            });

            assertThat(publication.subscriberCount()).isOne();
            assertThat(publication.offer(message, 0, LENGTH)).isPositive();
            other.send(new byte[] {0}, ZMQ.DONTWAIT);
            until(() -> counts(publication, 0));
        }
    }

    @Test
    void shouldHoldAnswersBackForAWhileAndSleepUntilItReachesWhoeverGivesThem() {
        try (Exchange bound = exchange("zeromq://127.0.0.1:0", ExchangeSide.BIND);
                ZMQ.Context context = ZMQ.context(1);
                ZMQ.Socket hearing = context.socket(SocketType.SUB);
                ZMQ.Socket back = context.socket(SocketType.PUSH)) {
            final Subscription answers = bound.subscription();
            final Ticket reached = Ticket.unique();
            hearing.subscribe(reached.frame());
            connect(hearing, HostPort.of(bound.channel()).port());
            until(() -> counts(bound.publication(), 1));
            back.setLinger(0);
            connect(back, Integer.parseInt(bound.channel().parameters().get("replyPort")));
            back.send(reached.frame());
            back.send(new byte[LENGTH]);
            until(() -> poll(answers) == 1);
            assertThat(answers.facts())
                    .containsEntry("answerHolds", 0)
                    .containsEntry("answerHoldsExpired", 0);

            back.send(Ticket.unique().frame());
            back.send(new byte[LENGTH]);
            until(() -> poll(answers) == 0 && answers.facts().get("answerHolds").equals(1));
            final long heldNs = System.nanoTime();
            int waits = 0;
            while (poll(answers) == 0) {
                answers.await(100_000_000);
                waits++;
            }

            final long shortestWaitNs = 1_000_000;
            assertThat(waits - 1L)
                    .isLessThanOrEqualTo((System.nanoTime() - heldNs) / shortestWaitNs);
            assertThat(answers.facts())
                    .containsEntry("answerHolds", 1)
                    .containsEntry("answerHoldsExpired", 1);
        }
    }

    private static ZMQ.Socket other(final ZMQ.Context context, final Publication publication) {
        final ZMQ.Socket other = context.socket(SocketType.SUB);
        other.setLinger(0);
        other.subscribe(ZMQ.SUBSCRIPTION_ALL);
        connect(other, HostPort.of(publication.channel()).port());
        return other;
    }

    /** Again, where JeroMQ overlooks the connection. */
    private static void connect(final ZMQ.Socket socket, final int port) {
        final WatchedConnection link = new WatchedConnection(socket, "tcp://127.0.0.1:" + port);
        until(() -> {
            link.revive();
            return link.isUp();
        });
    }

    private static boolean counts(
            final Publication publication, final int count, final Subscription... driven) {
        Stream.of(driven).forEach(ZeromqTest::poll);
        publication.doWork();
        return publication.subscriberCount() == count;
    }

    @Test
    void shouldNoticeWithoutBeingDrivenThatTheLastSubscriberHasLeft() {
        try (Publication publication = publication("zeromq://127.0.0.1:0")) {
            try (Subscription subscription = subscription(publication.channel())) {
                until(() -> counts(publication, 1, subscription));
                assertThat(publication.offer(message, 0, LENGTH)).isPositive();
            }
            until(() -> publication.offer(message, 0, LENGTH) == Publication.NOT_CONNECTED);
        }
    }

    @Test
    void shouldHandOverWhatWasSentBeforeThePublisherLeft() {
        final int count = 100;
        final Publication publication = publication("zeromq://127.0.0.1:0?linger=10s");
        try (Subscription subscription = subscription(publication.channel())) {
            until(() -> counts(publication, 1, subscription));
            for (int i = 0; i < count; i++) {
                until(() -> publication.offer(message, 0, LENGTH) > 0);
            }
            publication.close();
            int heard = 0;
            while (subscription.isConnected()) {
                heard += poll(subscription);
            }

            assertThat(heard).isEqualTo(count);
        } finally {
            publication.close();
        }
    }
}
