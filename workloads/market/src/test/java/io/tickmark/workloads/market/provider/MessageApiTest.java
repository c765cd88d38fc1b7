package io.tickmark.workloads.market.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.market.RunningRoles;
import io.tickmark.workloads.market.consumer.MarketConsumer;
import io.tickmark.workloads.market.hub.MarketHub;
import io.tickmark.workloads.market.publisher.MarketPublisher;
import io.tickmark.workloads.market.publisher.PublisherSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The roles on the Message API, between themselves and with those on the Transport API. */
class MessageApiTest {
    private static final long ENOUGH = 150;
    private static final Path THREADS = Path.of("/proc/self/task");

    private static Map<String, Object> provider(final String api, final int useUserDispatch) {
        return Map.of(
                "useUserDispatch",
                useUserDispatch,
                "api",
                api,
                "port",
                0,
                "endWithConsumers",
                true,
                "updateRate",
                1000,
                "latencyUpdateRate",
                "all",
                "genericMsgRate",
                1000,
                "genericMsgLatencyRate",
                "all");
    }

    private static Map<String, Object> consumer(
            final String api, final int useUserDispatch, final String steadyStateTime) {
        return Map.of(
                "api",
                api,
                "useUserDispatch",
                useUserDispatch,
                "itemCount",
                100,
                "steadyStateTime",
                steadyStateTime,
                "reconnectDelay",
                "100ms",
                "postingRate",
                1000,
                "postingLatencyRate",
                "all",
                "genericMsgRate",
                1000,
                "genericMsgLatencyRate",
                "all");
    }

    /**
     * Of each kind of message more than a hundred, however long that takes; then a steady state of
     * 240 s is over. What the provider sent before an update has come before it, and what it timed
     * has to come before the consumer's clock is ahead of its own.
     */
    private static void skipSteadyState(
            final RunningRoles.StartedRole provider, final RunningRoles.StartedRole consumer) {
        consumer.awaitStep(1);
        final long beganNs = System.nanoTime();
        final long updates = consumer.count(Counts.RECEIVED);
        provider.awaitCount("genericMessagesSent", provider.count("genericMessagesSent") + ENOUGH);
        provider.awaitCount("postsReceived", ENOUGH);
        provider.awaitStep(1);
        provider.awaitCount(
                "genericMessagesReceived", provider.count("genericMessagesReceived") + ENOUGH);
        consumer.awaitCount(
                Counts.RECEIVED, Math.max(updates + ENOUGH, provider.count("updatesSent")));
        consumer.context().skip(Duration.ofSeconds(240).minusNanos(System.nanoTime() - beganNs));
    }

    @ParameterizedTest
    @CsvSource({
        "eta,ema,0,block",
        "ema,eta,0,park",
        "ema,ema,0,block",
        "ema,ema,1,block",
        "ema,ema,1,adaptive"
    })
    void shouldMeasureTheSameOnEitherLibrary(
            final String provides,
            final String consumes,
            final int useUserDispatch,
            final String idle)
            throws Exception {
        try (RunningRoles roles = new RunningRoles()) {
            final RunningRoles.StartedRole providing =
                    roles.start(
                            new MarketProvider.Factory(),
                            DirectConnectTest.with(
                                    provider(provides, useUserDispatch), "idle", idle));
            final RunningRoles.StartedRole consuming =
                    roles.start(
                            new MarketConsumer.Factory(),
                            DirectConnectTest.with(
                                    consumer(consumes, useUserDispatch, "240s"), "idle", idle));
            skipSteadyState(providing, consuming);
            final RoleResult consumer = consuming.result();
            assertThat(consumer.failure()).isEmpty();
            assertThat(consumer.metrics()).containsEntry("images", 100L);
            final Map<String, Long> counts = consumer.steps().get(1).counts();
            assertThat(counts).containsEntry(Counts.LOST, 0L).containsEntry(Counts.DUPLICATED, 0L);
            assertThat(counts.get("updates")).isGreaterThan(100);
            assertThat(counts.get("genericMessages")).isGreaterThan(100);
            assertThat(counts.get("posts")).isGreaterThan(100).isEqualTo(counts.get("postsBack"));
            assertThat(consumer.steps().get(1).latencies())
                    .containsKeys(
                            "responseNs",
                            "serviceNs",
                            "postResponseNs",
                            "postServiceNs",
                            "genericResponseNs",
                            "genericServiceNs");
            final RoleResult provider = providing.result();
            assertThat(provider.failure()).isEmpty();
            assertThat(provider.metrics())
                    .containsEntry("requests", 100L)
                    .containsEntry("images", 100L);
            assertThat(provider.steps().get(1).latencies())
                    .containsKey("genericAtProviderServiceNs");
        }
    }

    /** Cores to which threads of the library are bound. */
    private static boolean isLibraryOn(final int core) {
        try (Stream<Path> threads = Files.list(THREADS)) {
            return threads.anyMatch(thread -> {
                try {
                    return Files.readString(thread.resolve("comm")).startsWith("pool-")
                            && Files.readAllLines(thread.resolve("status")).stream()
                                    .anyMatch(
                                            line -> line.matches("Cpus_allowed_list:\\s+" + core));
                } catch (final IOException e) {
                    return false; // it has ended
                }
            });
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldPutTheLibrarysThreadThatDispatchesOnItsCore() throws Exception {
        final int core = Affinity.allowedCores().getLast();
        try (RunningRoles roles = new RunningRoles()) {
            roles.start(new MarketProvider.Factory(), provider("eta", 0));
            final RunningRoles.StartedRole consumer =
                    roles.start(
                            new MarketConsumer.Factory(),
                            DirectConnectTest.with(
                                    consumer("ema", 0, "60s"),
                                    "apiThreads",
                                    Integer.toString(core)));
            consumer.awaitStep(1);
            assertThat(isLibraryOn(core)).isTrue();
            consumer.context().stop();
            assertThat(consumer.result().failure()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"0", "1"})
    void shouldEndWithASentenceWhenTheProviderGoes(final int useUserDispatch) throws Exception {
        try (RunningRoles roles = new RunningRoles()) {
            final RunningRoles.StartedRole provider =
                    roles.start(new MarketProvider.Factory(), provider("ema", useUserDispatch));
            final RunningRoles.StartedRole consumer =
                    roles.start(
                            new MarketConsumer.Factory(), consumer("ema", useUserDispatch, "60s"));
            consumer.awaitStep(1);
            provider.context().stop();
            assertThat(consumer.result().failure()).contains("was lost while");
        }
    }

    @Test
    void shouldStopAtOnceWhileItStillConnects() throws Exception {
        try (RunningRoles roles = new RunningRoles(600_000_000_000L)) {
            final RunningRoles.StartedRole consumer =
                    roles.start(
                            new MarketConsumer.Factory(),
                            Map.of(
                                    "api",
                                    "ema",
                                    "port",
                                    io.tickmark.workloads.market.rssl.Rssl.freePort(
                                            "127.0.0.1", "--host")));
            consumer.context().stop();
            assertThat(consumer.result().steps()).isNotEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"0", "1"})
    void shouldPublishIntoAHub(final int useUserDispatch) throws Exception {
        try (RunningRoles roles = new RunningRoles()) {
            final RunningRoles.StartedRole hub =
                    roles.start(
                            new MarketHub.Factory(),
                            Map.of("port", 0, "publisherPort", 0, "holdUntilItems", 100));
            final RunningRoles.StartedRole publisher =
                    roles.start(
                            new MarketPublisher.Factory(),
                            Map.of(
                                    "api",
                                    "ema",
                                    "useUserDispatch",
                                    useUserDispatch,
                                    "itemCount",
                                    100,
                                    "updateRate",
                                    2000,
                                    "latencyUpdateRate",
                                    "all",
                                    "runTime",
                                    "600s"));
            final RoleResult consumer =
                    roles.start(
                                    new MarketConsumer.Factory(),
                                    Map.of(
                                            "itemCount",
                                            100,
                                            "steadyStateTime",
                                            RunningRoles.STEADY_STATE))
                            .resultAfter(ENOUGH);
            assertThat(consumer.failure()).isEmpty();
            assertThat(consumer.metrics()).containsEntry("images", 100L);
            final Map<String, Long> counts = consumer.steps().get(1).counts();
            assertThat(counts).containsEntry(Counts.LOST, 0L).containsEntry(Counts.DUPLICATED, 0L);
            assertThat(counts.get("updates")).isGreaterThan(100);
            hub.context().stop();
            assertThat(publisher.result().failure()).contains("was lost");
            assertThat(publisher.result().metrics()).containsEntry("images", 100L);
        }
    }

    static List<Arguments> refused() {
        return List.of(
                arguments(ProviderSettings.class, Map.of("threads", "-1,-1"), "one thread"),
                arguments(
                        ProviderSettings.class,
                        Map.of("apiThreads", "0", "useUserDispatch", 1),
                        "--api-threads has nothing to pin"),
                arguments(ProviderSettings.class, Map.of("preEnc", true), "--pre-enc"),
                arguments(ProviderSettings.class, Map.of("websocket", "rssl.rwf"), "WebSockets"),
                arguments(
                        PublisherSettings.class, Map.of("websocket", "rssl.json.v2"), "WebSockets"),
                arguments(PublisherSettings.class, Map.of("preEnc", true), "--pre-enc"),
                arguments(
                        PublisherSettings.class,
                        Map.of("packing", true),
                        "--packing needs --api eta"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void shouldSayWhatTheMessageApiDoesNotDo(
            final Class<? extends Record> settings,
            final Map<String, Object> given,
            final String words) {
        assertThatThrownBy(() ->
                        Settings.read(
                                settings, DirectConnectTest.with(given, "api", "ema"), key -> key))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(words);
    }
}
