package io.tickmark.workloads.market.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.FieldList;
import com.refinitiv.ema.access.OmmConsumerConfig;
import com.refinitiv.ema.access.OmmReal;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.transport.ConnectionTypes;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.market.RunningRoles;
import io.tickmark.workloads.market.certificate.TestCertificate;
import io.tickmark.workloads.market.certificate.TestCertificate.TestCertificateSettings;
import io.tickmark.workloads.market.rssl.Rssl;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ways to reach the hub, and peers that do not behave. */
@Timeout(300)
class HubConnectionsTest {
    private static final int OWN_ITEMS = 1000;
    private static final Map<String, Object> OWN =
            Map.of("ownService", "OWN", "ownItems", OWN_ITEMS, "websocketPort", 0);

    /** The certificates that a Java program trusts besides the well-known ones. */
    private static final String TRUST = "javax.net.ssl.trustStore";

    @TempDir Path folder;

    private static void readAnItem(final OmmConsumerConfig config) {
        try (EmaConsumer consumer = new EmaConsumer(config)) {
            final Heard.Event image =
                    consumer.open("OWN", "TMK1")
                            .heard()
                            .await("the image", e -> e.is("refresh", "TMK1"));
            assertThat(image.state()).startsWith("Open/Ok");
            assertThat(image.fields()).containsEntry(22, "12.04");
        }
    }

    @Test
    void shouldServeConsumersOverTls() {
        final Path keys =
                TestCertificate.create(
                        new TestCertificateSettings(
                                folder.resolve("keys.p12").toString(),
                                "secret-word",
                                List.of("127.0.0.1"),
                                Duration.ofDays(1)));
        final Map<String, Object> settings = new HashMap<>(OWN);
        settings.putAll(
                Map.of("tlsPort", 0, "keyFile", keys.toString(), "keyPassword", "secret-word"));
        System.setProperty(TRUST, keys.toString());
        System.setProperty(TRUST + "Password", "secret-word");
        try (HubRunner hub = new HubRunner(settings)) {
            readAnItem(
                    EmaFactory.createOmmConsumerConfig()
                            .host(hub.listening("consumers over TLS"))
                            .channelType(ConnectionTypes.ENCRYPTED)
                            .encryptedProtocolType(ConnectionTypes.SOCKET));
        } finally {
            System.clearProperty(TRUST);
            System.clearProperty(TRUST + "Password");
        }
    }

    @Test
    void shouldServeConsumersOverWebSocket() {
        try (HubRunner hub = new HubRunner(OWN)) {
            readAnItem(
                    EmaFactory.createOmmConsumerConfig()
                            .host(hub.listening("consumers over WebSocket"))
                            .channelType(ConnectionTypes.WEBSOCKET));
        }
    }

    @Test
    void shouldSpeakJsonWithAPlainWebSocketClient() throws Exception {
        try (HubRunner hub = new HubRunner(OWN);
                JsonConsumer json = new JsonConsumer(hub)) {
            json.open("OWN", "TMK1").await("\"BID\":12.04");
        }
    }

    /** A field that no dictionary has, and a value that is none of its field. */
    @Test
    void shouldLeaveOutAndCountFieldsThatCannotBeConvertedToJson() throws Exception {
        final FieldList fields = EmaFactory.createFieldList();
        fields.add(EmaFactory.createFieldEntry().ascii(22, "this is no price at all"));
        fields.add(EmaFactory.createFieldEntry().uintValue(20_000, 1));
        fields.add(
                EmaFactory.createFieldEntry().real(25, 444, OmmReal.MagnitudeType.EXPONENT_NEG_2));
        try (HubRunner hub = new HubRunner(OWN);
                EmaPublisher publisher = new EmaPublisher(hub.publishers());
                EmaConsumer binary = new EmaConsumer(hub.consumers());
                JsonConsumer json = new JsonConsumer(hub)) {
            publisher.image("A", 1, 100, 200);
            HubPublishersTest.awaitItems(hub, OWN_ITEMS + 1);
            binary.open(EmaPublisher.SERVICE, "A");
            binary.heard().await("the image", e -> e.is("refresh", "A"));
            json.open(EmaPublisher.SERVICE, "A");
            publisher.update("A", 1, fields);
            binary.heard().await("the update", e -> e.is("update", "A"));
            json.await("{\"ASK\":4.44}");
            publisher.update("A", 1, 300, 0);
            json.await("\"BID\":3");
            json.abort();
            final RoleResult result = hub.stop();
            assertThat(result.failure()).isEmpty();
            assertThat(result.metrics()).containsEntry("jsonFieldsSkipped", 2L);
            assertThat(result.warnings())
                    .anySatisfy(warning ->
                            assertThat(warning)
                                    .contains("2 fields were left out", "field 22, which"));
        }
    }

    /** Of the content of a vector that has the type 129, which is none, the converter throws. */
    @Test
    void shouldDisconnectOnlyTheConsumerForWhomTheConversionFails() throws Exception {
        final byte[] vectorOfNothingKnown = {2, 1, 1, 0, 0, 0};
        try (HubRunner hub = new HubRunner(OWN);
                RawPublisher publisher = new RawPublisher(hub.publishers())) {
            publisher.image(-5, "A");
            HubPublishersTest.awaitItems(hub, OWN_ITEMS + 1);
            try (EmaConsumer binary = new EmaConsumer(hub.consumers());
                    JsonConsumer json = new JsonConsumer(hub)) {
                binary.open(RawPublisher.SERVICE, "A");
                binary.heard().await("the image", e -> e.is("refresh", "A"));
                json.open(RawPublisher.SERVICE, "A");
                publisher.update(-5, DataTypes.VECTOR, vectorOfNothingKnown);
                hub.awaitLine(
                        "(connection 3) is disconnected: a message cannot be sent to it: the library"
                                + " fails at it: java.lang.NullPointerException");
                publisher.image(-5, "A");
                binary.heard()
                        .await(
                                "the next image",
                                any ->
                                        binary.heard().events().stream()
                                                        .filter(e -> e.is("refresh", "A"))
                                                        .count()
                                                == 2);
            }
            assertThat(hub.stop().failure()).isEmpty();
        }
    }

    @Test
    void shouldKeepItsFiguresWhereItFails() {
        try (HubRunner hub = new HubRunner(OWN)) {
            hub.failOnce();
            assertThat(hub.result().failure())
                    .isEqualTo(
                            "The hub failed because of a defect: java.lang.IllegalStateException: a test.");
            assertThat(hub.result().metrics()).containsEntry("items", (long) OWN_ITEMS);
        }
    }

    @Test
    void shouldServeOthersWhileAPeerSendsGarbage() throws IOException {
        try (HubRunner hub = new HubRunner(OWN)) {
            final String address = hub.consumers();
            final int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
            for (final String garbage :
                    List.of("GET / HTTP/1.1\r\n\r\n", "8=FIX.4.4|9=5|", "\0\20\1\2\3\4\5\6\7\10")) {
                try (Socket socket = new Socket("127.0.0.1", port)) {
                    socket.getOutputStream().write(garbage.getBytes(StandardCharsets.ISO_8859_1));
                    readAnItem(EmaFactory.createOmmConsumerConfig().host(address));
                }
            }
        }
    }

    @Test
    void shouldDisconnectAConsumerThatStopsReadingAndKeepTheOthers() {
        final Map<String, Object> settings =
                Map.of(
                        "maxQueuedBytes", 200_000,
                        "outputBuffers", 10,
                        "socketSendBytes", 10_000);
        try (HubRunner hub = new HubRunner(settings);
                EmaPublisher publisher = new EmaPublisher(hub.publishers())) {
            publisher.image("A", 1, 100, 200);
            try (EmaConsumer reading = new EmaConsumer(hub.consumers());
                    EmaConsumer stuck = new EmaConsumer(EmaConsumer.lazy(hub.consumers()))) {
                reading.open(EmaPublisher.SERVICE, "A");
                reading.heard().await("the image", e -> e.is("refresh", "A"));
                stuck.open(EmaPublisher.SERVICE, "A");
                final long begin = System.nanoTime();
                long bid = 0;
                while (hub.count("slowConsumers") == 0) {
                    assertThat(System.nanoTime() - begin).isLessThan(120_000_000_000L);
                    publisher.update("A", 1, ++bid, 5);
                    if (bid % 50 == 0) { // no faster than the reader
                        final String last =
                                new java.math.BigDecimal(bid).movePointLeft(2).toString();
                        reading.heard()
                                .await("update " + last, e -> last.equals(e.fields().get(22)));
                    }
                }
                publisher.update("A", 1, 77_777, 0);
                reading.heard().await("the last update", e -> "777.77".equals(e.fields().get(22)));

                assertThat(hub.lines())
                        .anyMatch(line ->
                                line.contains("is disconnected: more than 200000 bytes")
                                        && line.contains("--max-queued-bytes"));
                final long updates =
                        reading.heard().events().stream()
                                .filter(e -> e.kind().equals("update"))
                                .count();
                assertThat(updates).isEqualTo(bid + 1);
            }
            assertThat(hub.stop().warnings())
                    .satisfiesExactlyInAnyOrder(
                            each ->
                                    assertThat(each)
                                            .contains("no output buffer", "--output-buffers"),
                            each ->
                                    assertThat(each)
                                            .contains("1 consumer was disconnected")
                                            .contains("--max-queued-bytes"));
        }
    }

    @Test
    void shouldServeItsConsumersAgainAfterItWasStoppedAndStarted() {
        final int port = Rssl.freePort("127.0.0.1", "--port");
        final Map<String, Object> settings = new HashMap<>(OWN);
        settings.put("port", port);
        HubRunner hub = new HubRunner(settings);
        try (EmaConsumer consumer = new EmaConsumer(hub.consumers())) {
            consumer.open("OWN", "TMK7").heard().await("the image", e -> e.is("refresh", "TMK7"));
            hub.close();
            consumer.heard().await("suspect", e -> e.state().startsWith("Open/Suspect"));
            consumer.heard().events().clear();
            hub = new HubRunner(settings);
            assertThat(
                            consumer.heard()
                                    .await("the recovered item", e -> e.is("refresh", "TMK7"))
                                    .state())
                    .startsWith("Open/Ok");
        } finally {
            hub.close();
        }
    }

    @Test
    void shouldSayWhatTlsNeeds() {
        assertThatThrownBy(() -> new HubRunner(Map.of("tlsPort", 0)))
                .hasMessageContaining("--tls-port needs --key-file");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nowhere", ":14002", "host:0", "host:65536"})
    void shouldRefuseProvidersWithoutHostOrPort(final String provider) {
        assertThatThrownBy(() -> new HubRunner(Map.of("providers", List.of(provider))))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--providers has \"" + provider + "\"");
    }

    @ParameterizedTest
    @CsvSource({"port,--port", "websocketPort,--websocket-port", "publisherPort,--publisher-port"})
    void shouldNameTheOptionOfAPortThatIsTaken(final String key, final String option)
            throws Exception {
        final Map<String, Object> settings = new HashMap<>(Map.of("port", 0, "publisherPort", 0));
        try (ServerSocket taken = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                RunningRoles roles = new RunningRoles()) {
            settings.put(key, taken.getLocalPort());
            assertThatThrownBy(() -> roles.start(new MarketHub.Factory(), settings))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("Cannot listen on")
                    .hasMessageEndingWith("; name another %s or --bind-address.", option);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "ownItems,10,--own-items",
        "itemFile,a,--item-file",
        "messageFile,a,--message-file"
    })
    void shouldRefuseWhatIsAboutAServiceOfItsOwnWithoutOne(
            final String key, final String value, final String option) {
        assertThatThrownBy(() -> new HubRunner(Map.of(key, value)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(option + " is about a service of the hub's own")
                .hasMessageContaining("--own-service");
    }

    @Test
    void shouldNameItsOwnOptionForAListThatIsTooShort() {
        assertThatThrownBy(() -> new HubRunner(Map.of("ownService", "OWN", "ownItems", 350_001)))
                .hasMessageContaining("--own-items asks for 350001");
    }

    @Test
    void shouldRefuseToWaitForItemsThatAreNeverCached() {
        assertThatThrownBy(() -> new HubRunner(Map.of("cache", false, "holdUntilItems", 1)))
                .isInstanceOf(UserError.class)
                .hasMessageContainingAll("--hold-until-items", "--cache false");
        assertThatThrownBy(() -> new HubRunner(Map.of("publisherPort", -1, "holdUntilItems", 1)))
                .isInstanceOf(UserError.class)
                .hasMessageContainingAll("--hold-until-items 1", "--publisher-port -1");
        try (HubRunner hub =
                new HubRunner(
                        Map.of(
                                "cache",
                                false,
                                "holdUntilItems",
                                10,
                                "ownService",
                                "OWN",
                                "ownItems",
                                10))) {
            hub.awaitLine("10 items are cached: consumers may request them.");
        }
    }
}
