package io.tickmark.workloads.market.publisher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.market.RunningRoles;
import io.tickmark.workloads.market.consumer.MarketConsumer;
import io.tickmark.workloads.market.hub.MarketHub;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The non-interactive provider, with the hub it needs. */
class PublisherTest {
    private static final Map<String, Object> HUB = Map.of("port", 0, "publisherPort", 0);

    @Test
    void shouldPublishEveryItemBeforeConsumersAskForThem(@TempDir final Path folder)
            throws Exception {
        try (RunningRoles roles = new RunningRoles()) {
            final RunningRoles.StartedRole hub =
                    roles.start(
                            new MarketHub.Factory(),
                            Map.of("port", 0, "publisherPort", 0, "holdUntilItems", 200));
            final RunningRoles.StartedRole publisher =
                    roles.start(
                            new MarketPublisher.Factory(),
                            Map.of(
                                    "itemCount",
                                    200,
                                    "updateRate",
                                    2000,
                                    "latencyUpdateRate",
                                    "all",
                                    "threads",
                                    "-1,-1",
                                    "runTime",
                                    "600s",
                                    "endWithHub",
                                    true,
                                    "writeStatsInterval",
                                    "1s"),
                            Optional.of(folder));
            final RoleResult consumer =
                    roles.start(
                                    new MarketConsumer.Factory(),
                                    Map.of(
                                            "itemCount",
                                            200,
                                            "steadyStateTime",
                                            RunningRoles.STEADY_STATE))
                            .resultAfter(1);
            hub.context().stop();
            final RoleResult published = publisher.result();
            assertThat(consumer.failure()).isEmpty();
            assertThat(consumer.metrics()).containsEntry("images", 200L);
            assertThat(consumer.steps().get(1).counts()).containsEntry(Counts.LOST, 0L);
            assertThat(consumer.steps().get(1).latencies()).containsKeys("responseNs", "serviceNs");
            assertThat(published.failure()).isEmpty();
            assertThat(published.metrics())
                    .containsEntry("images", 200L)
                    .containsEntry("connections", 2);
        }
        assertThat(Files.readAllLines(folder.resolve("NIProvStats1.csv")).getFirst())
                .isEqualTo("UTC, Images sent, Updates sent, CPU usage (%), Memory (MB)");
        assertThat(Files.readString(folder.resolve("NIProvSummary.out")))
                .contains("Images sent: 200", "Item Count: 200");
    }

    /**
     * No machine sends so many in a tick; whether that fails the plan is not for the role to
     * decide.
     */
    @Test
    void shouldNameTheSaturatedSideWhereTheRateIsNotHeld() throws Exception {
        try (RunningRoles roles = new RunningRoles()) {
            roles.start(new MarketHub.Factory(), HUB);
            final RoleResult published =
                    roles.start(
                                    new MarketPublisher.Factory(),
                                    Map.of(
                                            "itemCount",
                                            10,
                                            "updateRate",
                                            100_000_000,
                                            "runTime",
                                            "2s"))
                            .result();
            assertThat(published.steps().getFirst().reasons()).isEmpty();
            final long noBuffer = published.steps().getFirst().counts().get(Counts.BACK_PRESSURED);
            assertThat(published.warnings())
                    .anyMatch(each ->
                            each.contains(
                                    noBuffer == 0
                                            ? "The publisher always found a free buffer"
                                            : "found no free output buffer %d times: the hub"
                                                    .formatted(noBuffer)));
        }
    }

    @Test
    void shouldSayThatNoHubAnswers() {
        try (RunningRoles roles = new RunningRoles(1_000_000_000L)) {
            assertThatThrownBy(() ->
                            roles.start(
                                            new MarketPublisher.Factory(),
                                            Map.of("port", 1, "itemCount", 10))
                                    .result())
                    .rootCause()
                    .hasMessageContaining("nothing answers at 127.0.0.1:1");
        }
    }

    @Test
    void shouldRefuseThreadsThatWouldHaveNoItem() {
        final Map<String, ?> threads = Map.of("itemCount", 2, "threads", "-1,-1,-1");
        assertThatThrownBy(() -> Settings.read(PublisherSettings.class, threads, key -> key))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--threads names 3 threads, but --item-count is 2");
    }
}
