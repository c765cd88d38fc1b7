package io.tickmark.workloads.market.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.market.RunningRoles;
import io.tickmark.workloads.market.consumer.ConsumerSettings;
import io.tickmark.workloads.market.consumer.MarketConsumer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every kind of connection that the library has, between our own roles. */
class ConnectionKindsTest {
    private static final long ENOUGH = 150;

    @TempDir static Path folder;

    /** A keystore with a certificate for this host, made by the JDK's own tool. */
    @BeforeAll
    static void makeCertificate() throws Exception {
        final Process keytool =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-alias",
                                "test",
                                "-keyalg",
                                "RSA",
                                "-keysize",
                                "2048",
                                "-validity",
                                "2",
                                "-dname",
                                "CN=localhost",
                                "-ext",
                                "SAN=dns:localhost,ip:127.0.0.1",
                                "-storetype",
                                "JKS",
                                "-keystore",
                                folder.resolve("test.jks").toString(),
                                "-storepass",
                                "changeit",
                                "-keypass",
                                "changeit")
                        .redirectErrorStream(true)
                        .start();
        assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(keytool.exitValue()).isZero();
    }

    private static RoleResult start(final Map<String, Object> connection) throws Exception {
        return start(connection, Map.of(), Map.of());
    }

    private static RoleResult start(
            final Map<String, Object> connection,
            final Map<String, Object> ofConsumer,
            final Map<String, Object> ofProvider)
            throws Exception {
        final Map<String, Object> provider = new HashMap<>(connection);
        provider.putAll(ofProvider);
        provider.putAll(
                Map.of(
                        "port",
                        0,
                        "endWithConsumers",
                        true,
                        "tickRate",
                        100,
                        "updateRate",
                        400,
                        "latencyUpdateRate",
                        "all"));
        final Map<String, Object> consumer = new HashMap<>(connection);
        consumer.putAll(ofConsumer);
        consumer.putAll(
                Map.of(
                        "itemCount",
                        100,
                        "steadyStateTime",
                        "240s",
                        "reconnectDelay",
                        "100ms",
                        "postingRate",
                        1000));
        try (RunningRoles roles = new RunningRoles()) {
            final RunningRoles.StartedRole providing =
                    roles.start(new MarketProvider.Factory(), provider);
            final RunningRoles.StartedRole consuming =
                    roles.start(new MarketConsumer.Factory(), consumer);
            consuming.awaitStep(1);
            final long beganNs = System.nanoTime();
            providing.awaitCount("postsReceived", ENOUGH);
            consuming.awaitCount(Counts.RECEIVED, consuming.count(Counts.RECEIVED) + 1);
            consuming
                    .context()
                    .skip(Duration.ofSeconds(240).minusNanos(System.nanoTime() - beganNs));
            return consuming.result();
        }
    }

    private static void assertComplete(final RoleResult result) {
        assertThat(result.failure()).isEmpty();
        assertThat(result.metrics()).containsEntry("images", 100L);
        final Map<String, Long> counts = result.steps().get(1).counts();
        assertThat(counts.get("updates")).isPositive(); // how many depends on the machine
        assertThat(counts).containsEntry(Counts.LOST, 0L).containsEntry(Counts.DUPLICATED, 0L);
        assertThat(counts.get("posts")).isGreaterThan(100).isEqualTo(counts.get("postsBack"));
        assertThat(result.steps().get(1).latencies()).containsKeys("responseNs", "serviceNs");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rssl.rwf", "rssl.json.v2", "tr_json2"})
    void shouldLoseNothingOnAWebSocket(final String protocol) throws Exception {
        assertComplete(start(Map.of("websocket", protocol)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"encrypted", "encrypted-websocket"})
    void shouldLoseNothingOverTls(final String kind) throws Exception {
        assertComplete(
                start(
                        Map.of(
                                "connection",
                                kind,
                                "keyFile",
                                folder.resolve("test.jks").toString(),
                                "keyPassword",
                                "changeit")));
    }

    private static Path pem(final String name, final String kind, final byte[] content)
            throws IOException {
        return Files.writeString(
                folder.resolve(name),
                "-----BEGIN %s-----%n%s%n-----END %s-----%n"
                        .formatted(kind, Base64.getMimeEncoder().encodeToString(content), kind));
    }

    /** As the guide has it: certificates and key as PEM, and all else in the file as well. */
    @Test
    void shouldLoseNothingWithWhatAnEmaConfigSaysOfAnEncryptedChannel() throws Exception {
        final char[] password = "changeit".toCharArray();
        final KeyStore store = KeyStore.getInstance(folder.resolve("test.jks").toFile(), password);
        final Path certificate =
                pem("cert.pem", "CERTIFICATE", store.getCertificate("test").getEncoded());
        final Path key = pem("key.pem", "PRIVATE KEY", store.getKey("test", password).getEncoded());
        final Path config =
                Files.writeString(
                        folder.resolve("EmaConfig.xml"),
                        EMA_CONFIG
                                .replace("CERTIFICATE", certificate.toString())
                                .replace("KEY", key.toString()));
        final RoleResult result =
                start(
                        Map.of("emaConfig", config.toString()),
                        Map.of("serviceName", "OTHER_FEED", "consumerName", "My_Consumer"),
                        Map.of("providerName", "My_Provider"));
        assertComplete(result);
        assertThat(result.warnings())
                .filteredOn(each -> each.contains("not supported"))
                .singleElement()
                .asString()
                .contains("ReconnectMinDelay of Consumer My_Consumer (line 4)");
    }

    private static final String EMA_CONFIG =
            """
            <EmaConfig>
            <ConsumerGroup><ConsumerList><Consumer>
              <Name value="My_Consumer"/><Channel value="Channel_1"/>
              <ReconnectMinDelay value="5"/>
            </Consumer></ConsumerList></ConsumerGroup>
            <ChannelGroup><ChannelList><Channel>
              <Name value="Channel_1"/><ChannelType value="ChannelType::RSSL_ENCRYPTED"/>
              <EncryptedProtocolType value="EncryptedProtocolType::RSSL_SOCKET"/>
              <OpenSSLCAStore value="CERTIFICATE"/>
            </Channel></ChannelList></ChannelGroup>
            <IProviderGroup><IProviderList><IProvider>
              <Name value="My_Provider"/><Server value="Server_1"/><Directory value="Directory_1"/>
            </IProvider></IProviderList></IProviderGroup>
            <ServerGroup><ServerList><Server>
              <Name value="Server_1"/><ServerType value="ServerType::RSSL_ENCRYPTED"/>
              <ServerCert value="CERTIFICATE"/><ServerPrivateKey value="KEY"/>
              <MaxFragmentSize value="9000"/>
            </Server></ServerList></ServerGroup>
            <DirectoryGroup><DirectoryList><Directory><Name value="Directory_1"/>
              <Service><Name value="OTHER_FEED"/><InfoFilter><ServiceId value="9"/></InfoFilter></Service>
            </Directory></DirectoryList></DirectoryGroup>
            </EmaConfig>
            """;

    @ParameterizedTest
    @CsvSource({"ema,eta", "eta,ema"})
    void shouldLoseNothingOverTlsOnTheMessageApi(final String provides, final String consumes)
            throws Exception {
        final Map<String, Object> settings =
                Map.of(
                        "api",
                        provides,
                        "connection",
                        "encrypted",
                        "keyFile",
                        folder.resolve("test.jks").toString(),
                        "keyPassword",
                        "changeit");
        assertComplete(start(settings, Map.of("api", consumes), Map.of()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"zlib", "lz4"})
    void shouldLoseNothingWhenCompressed(final String compression) throws Exception {
        assertComplete(start(Map.of("compression", compression)));
    }

    @Test
    void shouldLoseNothingWithoutPackingAndDirectWrites() throws Exception {
        assertComplete(
                start(Map.of("packing", false, "directWrite", false, "highWaterMarkBytes", 6144)));
    }

    @Test
    void shouldKeepImagesThatFindNoBuffer() throws Exception {
        assertComplete(start(Map.of("outputBuffers", 1, "maxFragmentBytes", 1024)));
    }

    /** Converting takes a buffer besides the message's own. */
    @Test
    void shouldKeepWhatFindsNoBufferToBeConvertedIn() throws Exception {
        assertComplete(
                start(
                        Map.of(
                                "websocket",
                                "rssl.json.v2",
                                "outputBuffers",
                                2,
                                "socketSendBytes",
                                2048)));
    }

    @Test
    void shouldRefuseJsonWithOneBuffer() {
        assertThatThrownBy(() ->
                        Settings.read(
                                ConsumerSettings.class,
                                Map.of("websocket", "rssl.json.v2", "outputBuffers", 1),
                                key -> key))
                .hasMessageContaining("--output-buffers is 1");
    }

    @Test
    void shouldSayThatThereIsNoReliableMulticast() {
        assertThatThrownBy(() ->
                        Settings.read(
                                ConsumerSettings.class,
                                Map.of("connection", "reliable-mcast"),
                                key -> key))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no reliable multicast");
    }

    @Test
    void shouldRefuseAProtocolThatIsNone() {
        assertThatThrownBy(() ->
                        Settings.read(
                                ConsumerSettings.class, Map.of("websocket", "json"), key -> key))
                .hasMessageContainingAll("--websocket", "rssl.json.v2");
    }
}
