package io.tickmark.workloads.market.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.OmmConsumer;
import com.refinitiv.ema.access.OmmConsumerClient;
import com.refinitiv.ema.access.OmmConsumerConfig;
import com.refinitiv.ema.rdm.DataDictionary;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.workloads.market.LargeDictionary;
import io.tickmark.workloads.market.MarketEndpoints;
import io.tickmark.workloads.market.RunningRoles;
import io.tickmark.workloads.market.consumer.MarketConsumer;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.hub.MarketHub;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes wrong at the other end, and how it is reported. */
class FaultsTest {
    private static final long SHORT_NS = 2_000_000_000L;

    /** The system's own would hold a second of updates. */
    private static final int SMALL_BYTES = 32_768;

    private static final Map<String, Object> PROVIDER =
            Map.of("port", 0, "updateRate", 5000, "latencyUpdateRate", 100);
    private static final Map<String, Object> CONSUMER =
            Map.of(
                    "itemCount",
                    100,
                    "steadyStateTime",
                    RunningRoles.STEADY_STATE,
                    "reconnectDelay",
                    "100ms");

    private static byte[] garbage() {
        final byte[] bytes = new byte[5000];
        new Random(7).nextBytes(bytes);
        return bytes;
    }

    @Test
    void shouldServeItsConsumersWhileAClientSendsGarbage() throws Exception {
        try (RunningRoles roles = new RunningRoles()) {
            roles.start(new MarketProvider.Factory(), PROVIDER);
            final String[] address = roles.endpoint(MarketEndpoints.PROVIDER).split(":");
            try (Socket peer = new Socket(address[0], Integer.parseInt(address[1]))) {
                final OutputStream out = peer.getOutputStream();
                out.write(garbage());
                out.flush();
                final RoleResult result =
                        roles.start(new MarketConsumer.Factory(), CONSUMER).resultAfter(1);
                assertThat(result.failure()).isEmpty();
                assertThat(result.steps().get(1).counts()).containsEntry(Counts.LOST, 0L);
            }
        }
    }

    @Test
    void shouldEndATrialToWhichNoConsumerComes() throws Exception {
        try (RunningRoles roles = new RunningRoles(SHORT_NS / 10)) {
            final RoleResult provider =
                    roles.start(
                                    new MarketProvider.Factory(),
                                    DirectConnectTest.with(PROVIDER, "endWithConsumers", true))
                            .result();
            assertThat(provider.failure())
                    .contains(
                            "No consumer has connected within 200ms",
                            "hub in front of it, is missing");
            final RoleResult hub =
                    roles.start(
                                    new MarketHub.Factory(),
                                    Map.of(
                                            "port",
                                            0,
                                            "publisherPort",
                                            -1,
                                            "endWithConsumers",
                                            true))
                            .result();
            assertThat(hub.failure()).contains("No consumer has connected within 200ms");
        }
    }

    @Test
    void shouldSayThatWhatAnswersIsNoProvider() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                RunningRoles roles = new RunningRoles(SHORT_NS)) {
            Thread.ofPlatform().daemon().start(() -> answerWithGarbage(server));
            final Map<String, Object> settings =
                    DirectConnectTest.with(
                            CONSUMER, "host", "127.0.0.1", "port", server.getLocalPort());
            assertThat(roles.start(new MarketConsumer.Factory(), settings).result().failure())
                    .contains("Cannot connect");
        }
    }

    private static void answerWithGarbage(final ServerSocket server) {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                socket.getOutputStream().write(garbage());
            } catch (final IOException e) {
                // the test is over, or the peer is gone
            }
        }
    }

    /** Reports the first image, and ignores the rest. */
    private static OmmConsumerClient counting(final CountDownLatch image) {
        return (OmmConsumerClient)
                Proxy.newProxyInstance(
                        FaultsTest.class.getClassLoader(),
                        new Class<?>[] {OmmConsumerClient.class},
                        (proxy, method, arguments) -> {
                            if (method.getName().equals("onRefreshMsg")) {
                                image.countDown();
                            }
                            return null;
                        });
    }

    /** With its dictionary from files: few buffers do not take the provider's. */
    private static OmmConsumer consumer(final RunningRoles roles, final Path folder)
            throws IOException {
        FieldDictionary.writeOwn(folder);
        final DataDictionary dictionary = EmaFactory.createDataDictionary();
        dictionary.loadFieldDictionary(folder.resolve(FieldDictionary.FIELD_FILE).toString());
        dictionary.loadEnumTypeDictionary(folder.resolve(FieldDictionary.ENUM_FILE).toString());
        return EmaFactory.createOmmConsumer(
                EmaFactory.createOmmConsumerConfig()
                        .host(roles.endpoint(MarketEndpoints.PROVIDER))
                        .dataDictionary(dictionary, false)
                        .operationModel(OmmConsumerConfig.OperationModel.USER_DISPATCH));
    }

    @ParameterizedTest
    @ValueSource(strings = {"eta", "ema"})
    void shouldNotBeHeldUpByAConsumerThatReadsNoMore(final String api, @TempDir final Path folder)
            throws Exception {
        try (RunningRoles roles = new RunningRoles()) {
            final RunningRoles.StartedRole provider =
                    roles.start(
                            new MarketProvider.Factory(),
                            DirectConnectTest.with(
                                    PROVIDER,
                                    "api",
                                    api,
                                    "outputBuffers",
                                    10,
                                    "socketSendBytes",
                                    SMALL_BYTES,
                                    "updateRate",
                                    api.equals("ema") ? 10_000 : 50_000));
            final CountDownLatch image = new CountDownLatch(1); // after it, it reads no more
            final OmmConsumer deaf = consumer(roles, folder);
            try {
                deaf.registerClient(
                        EmaFactory.createReqMsg().serviceName("DIRECT_FEED").name("TMK1"),
                        counting(image));
                final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
                while (image.getCount() > 0 && System.nanoTime() - endNs < 0) {
                    deaf.dispatch(10_000);
                }
                final RoleResult result =
                        roles.start(
                                        new MarketConsumer.Factory(),
                                        DirectConnectTest.with(CONSUMER, "steadyStateTime", "8s"))
                                .result();
                assertThat(result.failure()).isEmpty();
                assertThat(result.steps().get(1).counts().get("updates")).isGreaterThan(2000);
                assertThat(result.steps().get(1).counts()).containsEntry(Counts.LOST, 0L);
                provider.context().stop();
                assertThat(provider.result().failure()).isEmpty();
                if (api.equals("eta")) { // all that the deaf one has; the other does not tell
                    assertThat(provider.result().metrics().get("mostBuffersInUse"))
                            .asInstanceOf(InstanceOfAssertFactories.LONG)
                            .isGreaterThanOrEqualTo(10);
                }
                assertThat(provider.result().warnings())
                        .anySatisfy(warning ->
                                assertThat(warning)
                                        .contains("found no free output buffer", "the consumer"));
            } finally {
                deaf.uninitialize();
            }
        }
    }

    @Test
    void shouldSayThatTheDictionaryLacksFields(@TempDir final Path folder) throws Exception {
        FieldDictionary.writeOwn(folder);
        final Path fields = folder.resolve(FieldDictionary.FIELD_FILE);
        final List<String> lines = Files.readAllLines(fields);
        Files.write(
                fields,
                lines.stream()
                        .filter(line -> !line.matches("\\S+\\s+\"[^\"]*\"\\s+22\\s.*"))
                        .toList());
        try (RunningRoles roles = new RunningRoles()) {
            roles.start(new MarketProvider.Factory(), PROVIDER);
            final RoleResult result =
                    roles.start(
                                    new MarketConsumer.Factory(),
                                    DirectConnectTest.with(
                                            CONSUMER,
                                            "fieldDictionary",
                                            fields.toString(),
                                            "enumDictionary",
                                            folder.resolve(FieldDictionary.ENUM_FILE).toString()))
                            .resultAfter(1);
            assertThat(result.failure()).isEmpty();
            assertThat(result.warnings())
                    .anySatisfy(warning -> assertThat(warning).contains("not in the dictionary"));
        }
    }

    /** The whole of it finds output buffers only once the consumer has read its beginning. */
    @Test
    void shouldSendALargeDictionaryThroughFewOutputBuffers(@TempDir final Path folder)
            throws Exception {
        LargeDictionary.write(folder, 20_000, 11);
        try (RunningRoles roles = new RunningRoles()) {
            roles.start(
                    new MarketProvider.Factory(),
                    DirectConnectTest.with(
                            PROVIDER,
                            "fieldDictionary",
                            folder.resolve(FieldDictionary.FIELD_FILE).toString(),
                            "enumDictionary",
                            folder.resolve(FieldDictionary.ENUM_FILE).toString(),
                            "outputBuffers",
                            3,
                            "socketSendBytes",
                            SMALL_BYTES));
            final RoleResult result =
                    roles.start(new MarketConsumer.Factory(), CONSUMER).resultAfter(1);
            assertThat(result.failure()).isEmpty();
            assertThat(result.steps().get(1).counts()).containsEntry(Counts.LOST, 0L);
        }
    }

    @Test
    void shouldSayHowManyImagesCameWhenTimeIsUp() throws Exception {
        try (RunningRoles roles = new RunningRoles()) {
            roles.start(new MarketProvider.Factory(), PROVIDER);
            final RoleResult result =
                    roles.start(
                                    new MarketConsumer.Factory(),
                                    DirectConnectTest.with(
                                            CONSUMER,
                                            "itemCount",
                                            1000,
                                            "requestRate",
                                            10,
                                            "steadyStateTime",
                                            "4s"))
                            .result();
            assertThat(result.failure())
                    .contains("Steady state was not reached within 4s", "of 1000 images arrived")
                    .contains("--request-rate");
            assertThat(result.steps()).hasSize(1);
        }
    }

    @Test
    void shouldRefuseAPortThatIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                RunningRoles roles = new RunningRoles()) {
            assertThatThrownBy(() ->
                            roles.start(
                                    new MarketProvider.Factory(),
                                    Map.of("port", taken.getLocalPort())))
                    .hasMessageContainingAll("Cannot listen on", "--port");
        }
    }
}
