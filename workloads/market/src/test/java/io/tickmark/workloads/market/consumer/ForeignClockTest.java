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
import io.tickmark.workloads.market.RunningRoles;
import io.tickmark.workloads.market.measure.OtherClock;
import io.tickmark.workloads.market.provider.MarketProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class ForeignClockTest {
    @TempDir private Path folder;

    /** Its row was void: no latency was positive, or below an hour. */
    @Test
    void shouldTakeAProviderThatIsNoRoleOfThePlanForOneWithAClockOfItsOwn() throws Exception {
        final LocalContext context =
                new LocalContext(Optional.of(folder), 30_000_000_000L, List.of());
        context.skip(Duration.ofHours(2));
        try (RunningRoles others = new RunningRoles()) {
            others.start(
                    new MarketProvider.Factory(),
                    Map.of("port", 0, "updateRate", 1000, "latencyUpdateRate", "all"));
            final Peer provider = Peer.parse(others.endpoint(MarketEndpoints.PROVIDER));
            final ConsumerSettings settings =
                    Settings.read(
                            ConsumerSettings.class,
                            Map.of(
                                    "host",
                                    provider.host(),
                                    "port",
                                    provider.port(),
                                    "itemCount",
                                    10,
                                    "steadyStateTime",
                                    "9s"),
                            key -> key);
            final RoleResult result;
            try (Role consumer = new MarketConsumer.Factory().create(settings, context)) {
                consumer.prepare();
                consumer.connect(Endpoints.NONE);
                result = consumer.run(0);
            }

            assertThat(context.trialId()).as("in a plan").isNotZero();
            assertThat(result.failure()).isEmpty();
            assertThat(result.warnings()).contains(OtherClock.WARNING);
            final StepResult steady = result.steps().getLast();
            assertThat(steady.counts().get(Counts.RECEIVED)).isPositive();
            assertThat(steady.counts().keySet()).noneMatch(Counts::isNotTimed);
            assertThat(new MarketConsumer.Factory().untimedSteps())
                    .as("need not be timed")
                    .contains(result.steps().getFirst().label())
                    .doesNotContain(steady.label());
            assertThat(steady.latencies())
                    .doesNotContainKeys(Latencies.RESPONSE_NS, Latencies.SERVICE_NS);
        }
    }
}
