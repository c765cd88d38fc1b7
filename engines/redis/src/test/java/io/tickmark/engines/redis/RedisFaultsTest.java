package io.tickmark.engines.redis;

import static io.tickmark.transport.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lettuce.core.XAddArgs;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import io.tickmark.kernel.host.FreePort;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.broker.SilentServer;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.ServerProcess;
import io.tickmark.transport.store.StoreServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that is absent, something else, killed, stopped or full. */
@Timeout(120)
class RedisFaultsTest {
    private static final int LENGTH = 64;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);

    @TempDir private Path folder;

    @BeforeAll
    static void needServer() {
        RedisNeeds.server();
    }

    /** A server that another party set up and runs. */
    private static final class GivenServer implements AutoCloseable {
        private final int port;
        private final List<String> command = new ArrayList<>();
        private final Path log;
        private ServerProcess process;

        GivenServer(final Path folder, final String... settings) throws IOException {
            this(List.of(), folder, settings);
        }

        /** With words before its command. */
        private GivenServer(final List<String> before, final Path folder, final String... settings)
                throws IOException {
            port = FreePort.tcp(InetAddress.getLoopbackAddress());
            command.addAll(before);
            log = folder.resolve("given.log");
            command.addAll(
                    List.of(
                            ServerProcess.find("redis-server").orElseThrow().toString(),
                            "--bind",
                            "127.0.0.1",
                            "--port",
                            Integer.toString(port),
                            "--save",
                            "",
                            "--dir",
                            folder.toString()));
            command.addAll(List.of(settings));
            start();
        }

        /** On a file system of its own, in its own mount namespace, which needs no rights. */
        static GivenServer onADiskOf(
                final String bytes, final Path folder, final String... settings) throws Exception {
            final Path disk = Files.createDirectory(folder.resolve("small"));
            final List<String> mounted =
                    List.of(
                            "unshare",
                            "-rm",
                            "sh",
                            "-c",
                            "mount -t tmpfs -o size=" + bytes + " tmpfs \"$0\" && exec \"$@\"",
                            disk.toString());
            final List<String> trial = new ArrayList<>(mounted);
            trial.add("true");
            assumeTrue(
                    new ProcessBuilder(trial).start().waitFor() == 0,
                    "this machine allows no mount namespace to try a full disk in");
            final List<String> there = new ArrayList<>(List.of("--dir", disk.toString()));
            there.addAll(List.of(settings));
            return new GivenServer(mounted, folder, there.toArray(new String[0]));
        }

        void start() {
            process = ServerProcess.start(command, Map.of(), log);
            assertThat(
                            process.awaitReady(
                                    "Ready to accept connections",
                                    "Fatal error",
                                    Duration.ofSeconds(120)))
                    .isEmpty();
        }

        ChannelUri channel(final String parameters) {
            return ChannelUri.parse("redis://127.0.0.1:" + port + parameters);
        }

        void kill() {
            process.kill();
        }

        /** {@code STOP} and it exists but no longer responds; {@code CONT} and it goes on. */
        void signal(final String name) throws IOException, InterruptedException {
            assertThat(
                            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                                    .start()
                                    .waitFor())
                    .isZero();
        }

        @Override
        public void close() {
            process.close();
        }
    }

    /** Sends back what comes, as the port of another program may. */
    private static final class Echo implements AutoCloseable {
        private final ServerSocket server;

        Echo() throws IOException {
            server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
            Thread.ofVirtual().start(this::serve);
        }

        private void serve() {
            while (!server.isClosed()) {
                try (Socket client = server.accept()) {
                    client.getInputStream().transferTo(client.getOutputStream());
                } catch (final SocketException e) {
                    // the client or the test is done
                } catch (final IOException e) {
                    throw new AssertionError(e);
                }
            }
        }

        ChannelUri channel() {
            return ChannelUri.parse("redis://127.0.0.1:" + server.getLocalPort());
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }

    private static Publication publication(final ChannelUri channel) {
        return new RedisTransport().publication(channel, Topic.DEFAULT);
    }

    private static Subscription subscription(final ChannelUri channel) {
        return new RedisTransport().subscription(channel, Topic.DEFAULT);
    }

    private static DurablePublication stored(final GivenServer server) {
        return new RedisTransport().durablePublication(server.channel(""), Topic.DEFAULT);
    }

    /** Sends until a message is refused behind the call. */
    private static void fill(final DurablePublication publication) {
        final UnsafeBuffer large = new UnsafeBuffer(new byte[10_000]);
        until(
                "a message is refused",
                () -> {
                    publication.offer(large, 0, large.capacity());
                    return !publication.failure().isEmpty();
                });
        assertThat(publication.stablePosition())
                .isNotNegative()
                .isLessThan(publication.nextOrdinal() - 1);
        assertThat(publication.isLost()).as("it may be opened again").isTrue();
    }

    private static UserError refused(final ChannelUri channel) {
        final UserError error =
                catchThrowableOfType(UserError.class, () -> publication(channel).close());
        assertThat(error).as("%s is refused", channel).isNotNull();
        return error;
    }

    private static boolean receives(final Subscription subscription) {
        return subscription.poll((buffer, offset, length) -> {}, 1) == 1;
    }

    @Test
    void shouldSayThatNobodyAnswers() throws IOException {
        final String channel =
                "redis://127.0.0.1:" + FreePort.tcp(InetAddress.getLoopbackAddress());

        assertThat(refused(ChannelUri.parse(channel)))
                .hasMessageStartingWith("--channel " + channel)
                .hasMessageContaining("no Redis server answers there (Connection refused")
                .hasMessageEndingWith("; start one, or let it be started with ?start.")
                .hasMessageNotContaining("\n");
    }

    @Test
    void shouldSayThatSomethingElseAnswers() throws IOException {
        try (Echo echo = new Echo()) {
            assertThat(refused(echo.channel()))
                    .hasMessageContaining(
                            "no Redis server answers there: what listens does not speak its protocol")
                    .hasMessageNotContaining("\n");
        }
    }

    /** It takes the connection and says nothing. */
    @Test
    void shouldSayThatASilentServerIsNone() throws Exception {
        final Consumer<UserError> sentence =
                said ->
                        assertThat(said)
                                .hasMessageContaining("no Redis server answers there: what listens")
                                .hasMessageContaining("?start");
        try (SilentServer silent = new SilentServer()) {
            silent.refuses(new RedisTransport(), "", folder, sentence);
        }
    }

    @Test
    void shouldSayThatAServerAsksForAPassword() throws IOException {
        try (GivenServer server = new GivenServer(folder, "--requirepass", "secret")) {
            assertThat(refused(server.channel("")))
                    .hasMessageContaining("asks for a password, which cannot be given here")
                    .hasMessageContaining("?start");
        }
    }

    @Test
    void shouldRefuseMessagesThatAreTooLongForTheServer() throws IOException {
        final int most = 1 << 20;
        final UnsafeBuffer longest = new UnsafeBuffer(new byte[most]);
        try (GivenServer server =
                new GivenServer(folder, "--proto-max-bulk-len", Integer.toString(most))) {
            final ChannelUri fitting = server.channel("?maxPayloadBytes=" + most);
            try (Publication publication = publication(fitting);
                    DurablePublication stored =
                            new RedisTransport().durablePublication(fitting, Topic.DEFAULT);
                    Subscription subscription = subscription(fitting)) {
                assertThat(publication.offer(longest, 0, most)).isPositive();
                until("it comes", () -> receives(subscription));
                assertThat(stored.offer(longest, 0, most)).isZero();
                until(
                        "it is stored",
                        () -> {
                            stored.doWork();
                            return stored.stablePosition() == 0;
                        });
            }

            final ChannelUri tooLong = server.channel("?maxPayloadBytes=" + (most + 1));
            final String sentence =
                    "--channel %s: the server takes messages of at most 1048576 bytes; give ?maxPayloadBytes=1048576 or less,"
                                    .formatted(tooLong)
                            + " or raise its proto-max-bulk-len.";
            assertThat(refused(tooLong)).hasMessage(sentence);
            assertThat(
                            catchThrowableOfType(
                                    UserError.class,
                                    () ->
                                            new RedisTransport()
                                                    .durablePublication(tooLong, Topic.DEFAULT)
                                                    .close()))
                    .hasMessage(sentence);
        }
    }

    /** Then nothing is known of its limit. */
    @Test
    void shouldUseAServerThatDoesNotPermitToReadItsSettings() throws IOException {
        try (GivenServer server = new GivenServer(folder, "--rename-command", "CONFIG", "")) {
            publication(server.channel("?maxPayloadBytes=64000000")).close();
        }
    }

    @Test
    void shouldSayThatAKeyHoldsSomethingElse() throws IOException {
        final RedisTransport redis = new RedisTransport();
        try (GivenServer server = new GivenServer(folder);
                RedisConnections other =
                        new RedisConnections(redis.channel(server.channel("")), false)) {
            final byte[] key = RedisTransport.key(redis.channel(server.channel("")), Topic.DEFAULT);
            other.open().sync().set(key, new byte[] {1});

            refusesTheKey(server, "is not a stream");

            other.open().sync().del(key);
            other.open().sync().xadd(key, new XAddArgs().id("1700000000000-0"), key, key);

            refusesTheKey(
                    server,
                    "is a stream of another program, as its last id is 1700000000000-0 and ours begin with 0-");
        }
    }

    private static void refusesTheKey(final GivenServer server, final String why) {
        final ThrowingCallable publication = () -> stored(server).close();
        final ThrowingCallable subscription =
                () ->
                        new RedisTransport()
                                .durableSubscription(server.channel(""), Topic.DEFAULT, 0)
                                .close();
        for (final ThrowingCallable opening : List.of(publication, subscription)) {
            assertThat(catchThrowableOfType(UserError.class, opening))
                    .hasFieldOrPropertyWithValue("kind", UserError.Kind.ENVIRONMENT)
                    .hasMessageEndingWith(
                            ": the key 'tickmark.tickmark.stored' %s; delete it, or give another ?prefix=."
                                    .formatted(why));
        }
    }

    @Test
    void shouldSayThatTheServersMemoryIsFull() throws IOException {
        try (GivenServer server = new GivenServer(folder, "--maxmemory", "4mb");
                DurablePublication publication = stored(server)) {
            fill(publication);

            assertThat(publication.failure())
                    .matches(
                            "message \\d+ was refused: the server's memory is full [(]OOM .*[)]; raise its maxmemory, or"
                                    + " send less");
        }
    }

    @Test
    void shouldSayThatTheServersDiskIsFull() throws Exception {
        try (GivenServer server = GivenServer.onADiskOf("2m", folder, "--appendonly", "yes");
                DurablePublication publication = stored(server)) {
            fill(publication);

            assertThat(publication.failure())
                    .matches(
                            "message \\d+ was refused: the server cannot write to its disk [(]MISCONF .*No space left on"
                                    + " device[)]; make room there, or see its log");
        }
    }

    /**
     * Its facts ask nobody: one whose disk is full answers nothing where each message is synced.
     */
    @Test
    void shouldNameItsServerWhereAPublicationWasGivenUp() throws IOException {
        try (GivenServer server = new GivenServer(folder)) {
            final DurablePublication publication = stored(server);
            server.kill();
            until("it is noticed", publication::isLost);
            publication.close();

            assertThat(publication.facts()).containsEntry("failure", "the server has ended");
            assertThat(publication.facts().get("server")).asString().matches("redis-server \\d.*");
        }
    }

    @Test
    void shouldSayWhereATopicBeginsOfWhichAnotherProgramHasDeleted() throws IOException {
        final RedisTransport redis = new RedisTransport();
        try (GivenServer server = new GivenServer(folder);
                StoreServer store = redis.store(server.channel(""), folder.resolve("store"))) {
            store.start();
            try (DurablePublication publication =
                    redis.durablePublication(store.endpoint(), Topic.DEFAULT)) {
                for (int sent = 0; sent < 3; sent++) {
                    assertThat(publication.offer(message, 0, LENGTH)).isEqualTo(sent);
                }
                publication.flush();
                until("all are stored", () -> publication.stablePosition() == 2);
            }
            assertThat(store.firstOrdinal(Topic.DEFAULT)).isZero();

            delete(redis, store, 1);
            assertThat(store.firstOrdinal(Topic.DEFAULT)).isEqualTo(2);
            assertThat(store.readBack(Topic.DEFAULT, 0, (buffer, offset, length) -> {})).isOne();

            delete(redis, store, 2);
            assertThat(store.firstOrdinal(Topic.DEFAULT)).isEqualTo(3);
        }
    }

    private static void delete(
            final RedisTransport redis, final StoreServer store, final long upTo) {
        try (DurableSubscription other =
                redis.durableSubscription(
                        store.endpoint().with("deletion", "acknowledged"), Topic.DEFAULT, 0)) {
            other.acknowledge(upTo);
            other.settleAcknowledgements();
        }
    }

    @Test
    void shouldReconnectAndReportItAfterTheServerWasKilled() throws IOException {
        try (GivenServer server = new GivenServer(folder);
                Publication publication = publication(server.channel(""));
                Subscription subscription = subscription(server.channel(""))) {
            assertThat(publication.offer(message, 0, LENGTH)).isNotNegative();
            until("a message comes", () -> receives(subscription));
            assertThat(subscription.facts()).containsEntry("reconnects", 0L);

            server.kill();
            until(
                    "both notice it",
                    () ->
                            publication.offer(message, 0, LENGTH) == Publication.NOT_CONNECTED
                                    && !subscription.isConnected());
            server.start();

            until(
                    "messages come again",
                    () -> {
                        publication.offer(message, 0, LENGTH);
                        return receives(subscription);
                    });
            assertThat(subscription.facts()).containsEntry("reconnects", 1L);
            assertThat(subscription.isConnected()).isTrue();
        }
    }

    /** It would count as in flight for ever, and as no failure. */
    @Test
    void shouldEndAMessageThatIsNotSentAgainAfterABreak() {
        final AsyncCommand<byte[], byte[], Long> message = command(CommandType.PUBLISH);
        final AsyncCommand<byte[], byte[], Long> question = command(CommandType.PING);

        assertThat(RedisConnections.endsMessage(message)).isTrue();
        assertThat(message.isCompletedExceptionally()).isTrue();
        assertThat(RedisConnections.endsMessage(message)).as("the second time").isTrue();
        assertThat(RedisConnections.endsMessage(question)).isFalse();
        assertThat(question.isDone()).isFalse();
    }

    private static AsyncCommand<byte[], byte[], Long> command(final CommandType type) {
        return new AsyncCommand<>(
                new Command<>(type, new IntegerOutput<>(ByteArrayCodec.INSTANCE)));
    }

    /** Nothing is lost: what was accepted waits in sockets and in the client. */
    @Test
    void shouldPushBackWhileTheServerStandsStillAndGoOnThen() throws Exception {
        try (GivenServer server = new GivenServer(folder);
                Publication publication = publication(server.channel("?maxFlight=50"));
                Subscription subscription = subscription(server.channel(""))) {
            server.signal("STOP");
            final List<Integer> sent = new ArrayList<>();
            until(
                    "it is refused",
                    () -> {
                        message.putInt(0, sent.size());
                        final long result = publication.offer(message, 0, LENGTH);
                        if (result >= 0) {
                            sent.add(sent.size());
                        }
                        return result == Publication.BACK_PRESSURED;
                    });
            assertThat(sent).hasSize(50);
            // longer than anything is waited for elsewhere: what waits is not refused
            Thread.sleep(RedisConnections.TIMEOUT.plusSeconds(1));
            assertThat(publication.offer(message, 0, LENGTH)).isEqualTo(Publication.BACK_PRESSURED);
            server.signal("CONT");

            final List<Integer> read = new ArrayList<>();
            until(
                    "all that was accepted comes",
                    () -> {
                        subscription.poll(
                                (buffer, offset, length) -> read.add(buffer.getInt(offset)), 10);
                        return read.size() == sent.size();
                    });
            assertThat(read).isEqualTo(sent);
            assertThat(publication.offer(message, 0, LENGTH)).isNotNegative();
            assertThat(publication.engineErrors()).isEmpty();
        }
    }
}
