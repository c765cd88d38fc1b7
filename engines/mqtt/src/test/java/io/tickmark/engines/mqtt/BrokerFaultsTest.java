package io.tickmark.engines.mqtt;

import static io.tickmark.transport.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tickmark.kernel.host.FreePort;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Closing;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.broker.SilentServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages to the user when a broker is absent, stops, refuses or is too small. */
@Timeout(120)
class BrokerFaultsTest {
    private static final String ANYBODY = "allow_anonymous true";

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[100_000]);

    @TempDir private Path folder;

    @BeforeAll
    static void needBroker() {
        MqttNeeds.broker();
    }

    private static Publication publication(final ChannelUri channel) {
        return new MqttTransport().publication(channel, Topic.DEFAULT);
    }

    private static Subscription subscription(final ChannelUri channel) {
        return new MqttTransport().subscription(channel, Topic.DEFAULT);
    }

    private static UserError refused(final ChannelUri channel) {
        final UserError error =
                catchThrowableOfType(UserError.class, () -> publication(channel).close());
        assertThat(error).as("%s is refused", channel).isNotNull();
        return error;
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.1.1", "5"})
    void shouldSayThatNoBrokerIsThere(final String version) throws Exception {
        final String channel =
                "mqtt://127.0.0.1:%d?version=%s"
                        .formatted(FreePort.tcp(InetAddress.getLoopbackAddress()), version);

        assertThat(refused(ChannelUri.parse(channel)))
                .hasMessageStartingWith(
                        "--channel "
                                + channel
                                + ": no MQTT broker answers there (Connection refused")
                .hasMessageEndingWith("; start one, or let it be started with ?start.");
    }

    /** It takes the connection and says nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"3.1.1", "5"})
    void shouldSayThatASilentServerIsNoBroker(final String version) throws Exception {
        try (SilentServer silent = new SilentServer()) {
            silent.refuses(
                    new MqttTransport(),
                    "?version=" + version,
                    folder,
                    said ->
                            assertThat(said)
                                    .hasMessageEndingWith(
                                            ": no MQTT broker answers there: what listens does not speak its protocol, or"
                                                    + " stands still; give the address of one, or let it be started with ?start"
                                                    + " at a free port (no answer within 10 s)."));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"version=3.1.1", "version=5", "qos=1"})
    void shouldReportThatABrokerWasKilledAndGoOnWithTheNext(final String parameters)
            throws Exception {
        try (GivenBroker broker = new GivenBroker(folder, ANYBODY);
                Publication publication = publication(broker.channel(parameters));
                Subscription subscription = subscription(broker.channel(parameters))) {
            assertThat(publication.offer(message, 0, 64)).isPositive();
            until("a message", () -> subscription.poll((buffer, offset, length) -> {}, 1) == 1);
            assertThat(publication.engineErrors()).isEmpty();

            broker.kill();

            until(
                    "the end is noticed",
                    () ->
                            publication.offer(message, 0, 64) == Publication.NOT_CONNECTED
                                    && !subscription.isConnected());
            until(
                    "it is told",
                    () ->
                            publication.engineErrors().isPresent()
                                    && subscription.engineErrors().isPresent());
            for (final var error :
                    List.of(subscription.engineErrors(), publication.engineErrors())) {
                assertThat(error.orElseThrow())
                        .containsAnyOf(
                                "The connection to the broker broke (",
                                "that the client had accepted")
                        .endsWith(".");
            }
            assertThat(subscription.engineErrors().orElseThrow())
                    .endsWith(
                            "; see whether it runs, what its log says, and whether it takes messages of"
                                    + " ?maxPayloadBytes and ?qos.");

            broker.start();

            until(
                    "messages come again",
                    () -> {
                        publication.offer(message, 0, 64);
                        return subscription.poll((buffer, offset, length) -> {}, 1) == 1;
                    });
            assertThat(subscription.facts()).containsEntry("disconnects", 1L);
            for (int i = 1; i <= 100; i++) {
                message.putInt(0, i);
                until("a message is taken", () -> publication.offer(message, 0, 64) > 0);
            }
            final List<Integer> read = new ArrayList<>();
            until(
                    "all have come",
                    () -> {
                        subscription.poll(
                                (buffer, offset, length) -> read.add(buffer.getInt(offset)), 7);
                        return read.contains(100);
                    });
            assertThat(read.stream().filter(number -> number > 0))
                    .as("each once")
                    .isSorted()
                    .doesNotHaveDuplicates()
                    .hasSize(100);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.1.1", "5"})
    void shouldSayThatCredentialsAreWrong(final String version) throws Exception {
        final Path passwords = folder.resolve("passwords");
        assertThat(
                        new ProcessBuilder(
                                        "mosquitto_passwd",
                                        "-b",
                                        "-c",
                                        passwords.toString(),
                                        "trader",
                                        "right")
                                .start()
                                .waitFor())
                .isZero();
        final Path right = Files.writeString(folder.resolve("right"), "right\n");
        final Path wrong = Files.writeString(folder.resolve("wrong"), "wrong\n");
        try (GivenBroker broker =
                new GivenBroker(folder, "allow_anonymous false", "password_file " + passwords)) {
            final String channel = "version=" + version;
            for (final String no :
                    List.of(channel, channel + "&user=trader&passwordFile=" + wrong)) {
                assertThat(refused(broker.channel(no)))
                        .hasMessageEndingWith(
                                ": the broker refuses the connection (not authorized); check ?user and ?passwordFile, or see"
                                        + " its log.");
            }
            publication(broker.channel(channel + "&user=trader&passwordFile=" + right)).close();
        }
    }

    @Test
    void shouldSayThatAFileWithAPasswordIsNotThere() throws Exception {
        try (GivenBroker broker = new GivenBroker(folder, ANYBODY)) {
            assertThat(refused(broker.channel("user=trader&passwordFile=/nowhere/at/all")))
                    .hasMessageContaining(": ?passwordFile=/nowhere/at/all cannot be read")
                    .hasMessageEndingWith("a file whose first line is the secret.");
        }
    }

    /** Maximum Packet Size of CONNACK: MQTT 5, section 3.2.2.3.6. */
    @Test
    void shouldRefuseMessagesThatABrokerSaysItDoesNotTake() throws Exception {
        try (GivenBroker broker = new GivenBroker(folder, ANYBODY, "max_packet_size 2000")) {
            assertThat(refused(broker.channel("version=5")))
                    .hasMessageEndingWith(
                            ": the broker takes packets of at most 2000 bytes; give ?maxPayloadBytes=1973 or less.");
            try (Publication publication = publication(broker.channel("maxPayloadBytes=1973"));
                    Subscription subscription = subscription(broker.channel("qos=0"))) {
                assertThat(publication.offer(message, 0, 1974)).isEqualTo(Publication.TOO_LONG);
                assertThat(publication.offer(message, 0, 1973)).isPositive();
                until("it comes", () -> subscription.poll((buffer, offset, length) -> {}, 1) == 1);
            }
        }
    }

    /** Maximum QoS of CONNACK: MQTT 5, section 3.2.2.3.4. */
    @Test
    void shouldRefuseAQosThatABrokerSaysItDoesNotTake() throws Exception {
        try (GivenBroker broker = new GivenBroker(folder, ANYBODY, "max_qos 1")) {
            assertThat(refused(broker.channel("qos=2")))
                    .hasMessageEndingWith(
                            ": the broker takes messages of at most qos=1; give ?qos=1, or allow more there.");
            publication(broker.channel("qos=1")).close();
        }
    }

    /** A broker may grant less than was asked for: MQTT 3.1.1 and 5, section 3.9. */
    @ParameterizedTest
    @CsvSource({"5, 0", "3.1.1, 1"})
    void shouldRefuseASubscriptionToWhichABrokerGrantsLess(final String version, final int granted)
            throws Exception {
        try (ServerSocket broker = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            final Thread answers =
                    Thread.ofVirtual()
                            .start(() -> grant(broker, version.equals("5"), granted, true));
            final ChannelUri channel =
                    ChannelUri.parse(
                            "mqtt://127.0.0.1:%d?qos=2&version=%s"
                                    .formatted(broker.getLocalPort(), version));

            final UserError error =
                    catchThrowableOfType(UserError.class, () -> subscription(channel).close());

            assertThat(error)
                    .hasMessageEndingWith(
                            ": the broker grants a subscription at most qos=%1$d; give ?qos=%1$d, or allow more there."
                                    .formatted(granted));
            answers.join();
        }
    }

    /** It comes back after each break with another subscription, of which nobody waits to hear. */
    @ParameterizedTest
    @CsvSource({
        "5, 0, qos=0 instead of 2",
        "3.1.1, 1, qos=1 instead of 2",
        "5, 135, SUBACK contains",
        "3.1.1, 128, SUBACK contains"
    })
    void shouldReportThatABrokerGrantsLessOnceItIsBack(
            final String version, final int granted, final String reason) throws Exception {
        final boolean isVersion5 = version.equals("5");
        try (ServerSocket broker = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            final Thread answers =
                    Thread.ofVirtual()
                            .start(() -> {
                                grant(broker, isVersion5, 2, false);
                                grant(broker, isVersion5, granted, true);
                            });
            try (Subscription subscription =
                    subscription(
                            ChannelUri.parse(
                                    "mqtt://127.0.0.1:%d?qos=2&version=%s"
                                            .formatted(broker.getLocalPort(), version)))) {
                until(
                        "it is told",
                        () ->
                                subscription
                                        .engineErrors()
                                        .filter(said -> said.contains("did not grant"))
                                        .isPresent());

                assertThat(subscription.engineErrors().orElseThrow())
                        .startsWith("The connection to the broker broke (")
                        .contains(
                                "Once the connection was restored, the broker did not grant the same subscription ("
                                        + reason)
                        .endsWith(
                                "): messages that followed were delivered with a lower ?qos, or not at all.");
                assertThat(subscription.facts()).containsEntry("disconnects", 1L);
            }
            answers.join();
        }
    }

    /** CONNACK, then SUBACK with one code, until the client goes, or no longer than that. */
    private static void grant(
            final ServerSocket broker,
            final boolean isVersion5,
            final int code,
            final boolean staysOpen) {
        try (Socket client = broker.accept()) {
            final InputStream in = client.getInputStream();
            final OutputStream out = client.getOutputStream();
            for (int type = in.read(); type >= 0; type = in.read()) {
                final byte[] packet = in.readNBytes(in.read()); // all are shorter than 128 bytes
                switch (type >> 4) {
                    case 1 -> out.write(accepted(isVersion5));
                    case 8 -> {
                        out.write(
                                isVersion5
                                        ? new byte[] {
                                            (byte) 0x90, 4, packet[0], packet[1], 0, (byte) code
                                        }
                                        : new byte[] {
                                            (byte) 0x90, 3, packet[0], packet[1], (byte) code
                                        });
                        if (!staysOpen) {
                            return;
                        }
                    }
                    default -> {} // DISCONNECT and PING have nothing that is needed here
                }
            }
        } catch (final IOException e) {
            // the client went without a word
        }
    }

    /** CONNACK; in MQTT 5 with the client's identifier, which it left open. */
    private static byte[] accepted(final boolean isVersion5) {
        return isVersion5
                ? new byte[] {0x20, 7, 0, 0, 4, 0x12, 0, 1, 'a'}
                : new byte[] {0x20, 2, 0, 0};
    }

    /** MQTT 3.1.1 has no code for it: the broker closes the connection. */
    @Test
    void shouldReportThatABrokerEndsTheConnectionForAMessage() throws Exception {
        try (GivenBroker broker = new GivenBroker(folder, ANYBODY, "max_packet_size 2000");
                Publication publication = publication(broker.channel("version=3.1.1"))) {
            assertThat(publication.offer(message, 0, 10_000)).isPositive();

            until("it is told", () -> publication.engineErrors().isPresent());
            assertThat(publication.engineErrors().orElseThrow())
                    .startsWith("The connection to the broker broke (")
                    .endsWith("whether it takes messages of ?maxPayloadBytes and ?qos.");
        }
    }

    /** Reason code 0x87 of PUBACK and PUBREC: MQTT 5, sections 3.4.2.1 and 3.5.2.1. */
    @ParameterizedTest
    @ValueSource(strings = {"qos=1", "qos=2"})
    void shouldReportThatABrokerRefusedAMessage(final String qos) throws Exception {
        final Path rights = Files.writeString(folder.resolve("rights"), "topic read #\n");
        try (GivenBroker broker = new GivenBroker(folder, ANYBODY, "acl_file " + rights);
                Publication publication = publication(broker.channel(qos))) {
            assertThat(publication.offer(message, 0, 64)).isPositive();

            until("it is told", () -> publication.engineErrors().isPresent());
            assertThat(publication.engineErrors())
                    .contains(
                            "A message that the client had accepted was not acknowledged: not authorized; see what the broker "
                                    + "allows.");
        }
    }

    /** A stock broker answers with a code that no PUBACK has, which closes the connection. */
    @ParameterizedTest
    @ValueSource(strings = {"qos=1", "qos=2"})
    void shouldReportThatABrokerHasASmallerLimitThanItSays(final String qos) throws Exception {
        try (GivenBroker broker = new GivenBroker(folder, ANYBODY, "message_size_limit 2000");
                Publication publication = publication(broker.channel(qos))) {
            assertThat(publication.offer(message, 0, 10_000)).isPositive();

            until("it is told", () -> publication.engineErrors().isPresent());
            assertThat(publication.engineErrors().orElseThrow())
                    .contains("wrong reason code")
                    .containsAnyOf("see what the broker allows", "?maxPayloadBytes");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"qos=0&version=3.1.1", "qos=0", "qos=1&maxFlight=64", "qos=2"})
    void shouldRefuseInsteadOfWaitingForABrokerThatStandsStill(final String parameters)
            throws Exception {
        try (GivenBroker broker = new GivenBroker(folder, ANYBODY);
                Publication publication =
                        publication(broker.channel(parameters + "&sendPendingBytes=262144"))) {
            broker.freeze();

            until(
                    "it is refused",
                    () -> publication.offer(message, 0, 65_536) == Publication.BACK_PRESSURED);
            broker.kill();
        }
    }

    /** A role closes all its topics, and answers of a broker that stands still are waited for. */
    @Test
    void shouldCloseThoughTheServerAnswersNothing() throws Exception {
        try (GivenBroker broker = new GivenBroker(folder, ANYBODY)) {
            final List<Publication> publications = new ArrayList<>();
            final List<Subscription> subscriptions = new ArrayList<>();
            for (final Topic topic : Topic.of(List.of("first", "second", "third"))) {
                final ChannelUri channel = broker.channel("qos=1");
                publications.add(new MqttTransport().publication(channel, topic));
                subscriptions.add(new MqttTransport().subscription(channel, topic));
            }
            broker.freeze();
            publications.forEach(
                    each -> assertThat(each.offer(message, 0, 64)).as("is taken").isPositive());

            Closing.soon("the publications", publications);
            Closing.soon("the subscriptions", subscriptions);
            broker.kill();
        }
    }

    /** The client does not let itself be disconnected before it is connected. */
    @ParameterizedTest
    @ValueSource(strings = {"3.1.1", "5"})
    void shouldStayClosedWhereItWasConnectingAgain(final String version) throws Exception {
        final boolean isVersion5 = version.equals("5");
        final CountDownLatch connects = new CountDownLatch(1);
        final CountDownLatch isClosed = new CountDownLatch(1);
        try (ServerSocket broker = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            final FutureTask<List<Integer>> heard =
                    new FutureTask<>(() -> {
                        grant(broker, isVersion5, 0, false);
                        try (Socket client = broker.accept()) {
                            final InputStream in = client.getInputStream();
                            in.read();
                            in.readNBytes(in.read()); // the whole CONNECT
                            connects.countDown();
                            isClosed.await();
                            client.getOutputStream().write(accepted(isVersion5));
                            final int first = in.read();
                            if (first >= 0) {
                                in.readNBytes(in.read());
                            }
                            return List.of(first >> 4, in.read());
                        }
                    });
            Thread.ofVirtual().start(heard);
            try (Subscription _ =
                    subscription(
                            ChannelUri.parse(
                                    "mqtt://127.0.0.1:%d?version=%s"
                                            .formatted(broker.getLocalPort(), version)))) {
                connects.await();
            }
            isClosed.countDown();

            assertThat(heard.get(60, TimeUnit.SECONDS))
                    .as("DISCONNECT, and the end of the connection")
                    .containsExactly(14, -1);
        }
    }

    @Test
    void shouldDropAndCountWhatASlowSubscriberHasNoRoomForWithoutAcknowledgements()
            throws Exception {
        try (GivenBroker broker = new GivenBroker(folder, ANYBODY);
                Publication publication = publication(broker.channel("qos=0"));
                Subscription subscription =
                        subscription(broker.channel("receivePendingBytes=6400"))) {
            offerAll(publication, 500);
            until("some are dropped", () -> subscription.lost() > 0);

            final List<Integer> read = new ArrayList<>();
            until(
                    "all is accounted for",
                    () -> {
                        subscription.poll(
                                (buffer, offset, length) -> read.add(buffer.getInt(offset)), 500);
                        return read.size() + subscription.lost() == 500;
                    });
            assertThat(read).isSorted();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"qos=1", "qos=2&version=3.1.1"})
    void shouldLoseNothingForASlowSubscriberThatAcknowledges(final String parameters) {
        try (Publication publication =
                        publication(ChannelUri.parse("mqtt:?maxFlight=10&" + parameters));
                Subscription subscription =
                        subscription(publication.channel().with("receivePendingBytes", "1024"))) {
            offerAll(publication, 5000);

            final List<Integer> read = new ArrayList<>();
            until(
                    "all have come",
                    () -> {
                        subscription.poll(
                                (buffer, offset, length) -> read.add(buffer.getInt(offset)), 7);
                        return read.size() == 5000;
                    });
            assertThat(read).isSorted().doesNotHaveDuplicates();
            assertThat(subscription.lost()).isZero();
        }
    }

    /** It has acknowledged them, and tells nobody: they are missing in the sequence. */
    @Test
    void shouldLeaveAGapWhereAGivenBrokerDropsWhatExceedsItsQueue() throws Exception {
        try (GivenBroker broker =
                        new GivenBroker(
                                folder,
                                ANYBODY,
                                "max_inflight_messages 5",
                                "max_queued_messages 10");
                Publication publication = publication(broker.channel("qos=1&maxFlight=1"));
                Subscription subscription =
                        subscription(broker.channel("qos=1&receivePendingBytes=1024"))) {
            assertThat(new MqttTransport().traits(publication.channel()).reliable())
                    .as("what it promises")
                    .isFalse();
            offerAll(publication, 500); // each once the broker has acknowledged the one before

            final List<Integer> read = new ArrayList<>();
            until(
                    "one that comes after the gap has come",
                    () -> {
                        publication.offer(message, 0, 64);
                        subscription.poll(
                                (buffer, offset, length) -> read.add(buffer.getInt(offset)), 7);
                        return !read.isEmpty() && read.getLast() == 499;
                    });
            assertThat(read.stream().distinct()).isSorted().hasSizeLessThan(500);
        }
    }

    private void offerAll(final Publication publication, final int count) {
        for (int i = 0; i < count; i++) {
            message.putInt(0, i);
            until("a message is taken", () -> publication.offer(message, 0, 64) > 0);
        }
    }

    /** Another client, which uses the plain topic names. */
    @ParameterizedTest
    @ValueSource(strings = {"version=3.1.1&qos=2", "version=5&qos=1"})
    void shouldBeHeardByAnotherClient(final String parameters) throws Exception {
        MqttNeeds.otherClient();
        try (GivenBroker broker = new GivenBroker(folder, ANYBODY);
                Publication publication =
                        publication(broker.channel(parameters + "&prefix=exchange/prices"))) {
            final Process other =
                    new ProcessBuilder(
                                    "mosquitto_sub",
                                    "-p",
                                    Integer.toString(broker.port()),
                                    "-q",
                                    "2",
                                    "-C",
                                    "1",
                                    "-F",
                                    "%t %q %p",
                                    "-t",
                                    "exchange/#")
                            .redirectErrorStream(true)
                            .start();
            try {
                message.putStringWithoutLengthAscii(0, "12.5");
                until(
                        "it has heard",
                        () -> {
                            publication.offer(message, 0, 4);
                            return !other.isAlive();
                        });
                assertThat(
                                new String(
                                        other.getInputStream().readAllBytes(),
                                        StandardCharsets.UTF_8))
                        .isEqualTo(
                                "exchange/prices/tickmark %s 12.5%n"
                                        .formatted(parameters.substring(parameters.length() - 1)));
            } finally {
                other.destroyForcibly();
            }
        }
    }
}
