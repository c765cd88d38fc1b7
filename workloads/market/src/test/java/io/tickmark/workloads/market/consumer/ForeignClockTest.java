package io.tickmark.workloads.market.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.workloads.market.LocalContext;
import io.tickmark.workloads.market.MarketEndpoints;
import io.tickmark.workloads.market.Peer;
import io.tickmark.workloads.market.ProviderElsewhere;
import io.tickmark.workloads.market.RunningRoles;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.measure.OtherClock;
import io.tickmark.workloads.market.provider.MarketProvider;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class ForeignClockTest {
    private static final String AT_PROVIDER = "genericAtProviderServiceNs";

    @TempDir private Path folder;
    @TempDir private Path dictionary;
    private LocalContext context;

    @BeforeEach
    void begin() {
        context = new LocalContext(Optional.of(folder), 30_000_000_000L, List.of());
    }

    /** Their times were ten minutes, and passed. */
    @ParameterizedTest
    @ValueSource(strings = {"eta", "ema"})
    void shouldTimeNothingByTheClockOfAHostThatWasStartedTenMinutesLater(final String api)
            throws Exception {
        context.skip(Duration.ofMinutes(10));
        final Process provider = ProviderElsewhere.start(api);
        try (BufferedReader said = provider.inputReader()) {
            final RoleResult result = consume(said.readLine(), Map.of("api", api));
            provider.getOutputStream().close();

            assertIsNotTimed(result);
            assertThat(result.steps().getLast().latencies())
                    .doesNotContainKeys("genericResponseNs", "genericServiceNs");
            assertThat(said.readLine()).as("warnings").contains(OtherClock.WARNING);
            assertThat(said.readLine()).as("latencies").doesNotContain(AT_PROVIDER);
        } finally {
            provider.destroyForcibly();
        }
    }

    /** Behind a tunnel, and without saying whose clock it is. Its row was void: see the counts. */
    @Test
    void shouldTakeAProviderWhoseTimesAreNoneForOneWithAClockOfItsOwn() throws Exception {
        context.skip(Duration.ofHours(2));
        try (RunningRoles others = new RunningRoles()) {
            others.start(new MarketProvider.Factory(), silent(Map.of("port", 0)));
            assertIsNotTimed(
                    consume(
                            others.endpoint(MarketEndpoints.PROVIDER),
                            silent(Map.of("api", "eta"))));
        }
    }

    private static void assertIsNotTimed(final RoleResult result) {
        assertThat(result.failure()).isEmpty();
        assertThat(result.warnings()).contains(OtherClock.WARNING);
        final StepResult steady = result.steps().getLast();
        assertThat(steady.counts().get(Counts.RECEIVED)).isPositive();
        assertThat(steady.counts())
                .allSatisfy((name, count) -> {
                    if (Counts.isNotTimed(name)) {
                        assertThat(count).as(name).isZero();
                    }
                });
        assertThat(new MarketConsumer.Factory().untimedSteps())
                .as("need not be timed")
                .contains(result.steps().getFirst().label())
                .doesNotContain(steady.label());
        assertThat(steady.latencies())
                .doesNotContainKeys(Latencies.RESPONSE_NS, Latencies.SERVICE_NS);
    }

    /** By the addresses of both, as the roles of version 0.1.0. */
    @ParameterizedTest
    @ValueSource(strings = {"eta", "ema"})
    void shouldTimeAPeerOfThisMachineThatDoesNotSayWhoseClockItIs(final String api)
            throws Exception {
        context.byHand();
        try (RunningRoles others = new RunningRoles()) {
            final RunningRoles.StartedRole provider =
                    others.start(
                            new MarketProvider.Factory(), silent(Map.of("api", api, "port", 0)));
            provider.context().byHand();
            final RoleResult result =
                    consume(others.endpoint(MarketEndpoints.PROVIDER), silent(Map.of("api", api)));
            provider.context().stop();

            assertThat(result.failure()).isEmpty();
            assertThat(result.warnings()).doesNotContain(OtherClock.WARNING);
            assertThat(result.steps().getLast().latencies())
                    .containsKeys(Latencies.RESPONSE_NS, Latencies.SERVICE_NS);
            assertThat(provider.result().warnings()).doesNotContain(OtherClock.WARNING);
            assertThat(provider.result().steps().getLast().latencies()).containsKey(AT_PROVIDER);
        }
    }

    /** With a dictionary that has no field for it. */
    private Map<String, Object> silent(final Map<String, Object> settings) throws IOException {
        final Path fields = dictionary.resolve(FieldDictionary.FIELD_FILE);
        if (!Files.exists(fields)) {
            FieldDictionary.writeOwn(dictionary);
            final List<String> lines = Files.readAllLines(fields);
            assertThat(lines.removeIf(line -> line.startsWith("TM_HOST"))).isTrue();
            Files.write(fields, lines);
        }
        final Map<String, Object> all = new HashMap<>(settings);
        all.put("fieldDictionary", fields.toString());
        all.put("enumDictionary", dictionary.resolve(FieldDictionary.ENUM_FILE).toString());
        if (settings.containsKey("port")) {
            all.put("updateRate", 1000);
            all.put("latencyUpdateRate", "all");
        }
        return all;
    }

    /** In a plan that has no provider, if not by hand. */
    private RoleResult consume(final String address, final Map<String, Object> settings)
            throws Exception {
        final Peer provider = Peer.parse(address);
        final Map<String, Object> all = new HashMap<>(settings);
        all.putAll(
                Map.of(
                        "host",
                        provider.host(),
                        "port",
                        provider.port(),
                        "itemCount",
                        10,
                        "genericMsgRate",
                        1000,
                        "genericMsgLatencyRate",
                        "all",
                        "steadyStateTime",
                        "4s"));
        try (Role consumer =
                new MarketConsumer.Factory()
                        .create(Settings.read(ConsumerSettings.class, all, key -> key), context)) {
            consumer.prepare();
            consumer.connect(Endpoints.NONE);
            return consumer.run(0);
        }
    }
}
