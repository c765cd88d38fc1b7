package io.tickmark.workloads.market.hub;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.workloads.market.Books;
import io.tickmark.workloads.market.MarketEndpoints;
import io.tickmark.workloads.market.RunningRoles;
import io.tickmark.workloads.market.consumer.MarketConsumer;
import io.tickmark.workloads.market.provider.MarketProvider;
import io.tickmark.workloads.market.publisher.MarketPublisher;
import io.tickmark.workloads.market.rssl.Rssl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What our own roles get through the hub, when all is well and when something is missing. */
@Execution(ExecutionMode.CONCURRENT)
class HubItemsTest {
    private static final int ITEMS = 50;

    @TempDir private Path folder;

    private static Map<String, Object> provider(final int port) {
        return Map.of("port", port, "updateRate", 1000, "latencyUpdateRate", "all");
    }

    private static Map<String, Object> consumer(final String steadyStateTime) {
        return Map.of("itemCount", ITEMS, "steadyStateTime", steadyStateTime);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldReportItemsThatTurnedSuspectAndCameBackWithTheirProvider(final boolean cache)
            throws Exception {
        final int port = Rssl.freePort("127.0.0.1", "--host");
        try (RunningRoles roles = new RunningRoles()) {
            final RunningRoles.StartedRole provider =
                    roles.start(new MarketProvider.Factory(), provider(port));
            roles.start(
                    new MarketHub.Factory(),
                    Map.of(
                            "port",
                            0,
                            "publisherPort",
                            -1,
                            "providers",
                            List.of("127.0.0.1:" + port),
                            "reconnectDelay",
                            "50ms",
                            "cache",
                            cache));
            final RunningRoles.StartedRole consumer =
                    roles.start(new MarketConsumer.Factory(), consumer("20s"));
            consumer.awaitStep(1);
            provider.context().stop();
            provider.result();
            roles.start(new MarketProvider.Factory(), provider(port));

            final RoleResult result = consumer.result();
            assertThat(result.failure()).isEmpty();
            assertThat(result.metrics())
                    .containsEntry("suspectItems", (long) ITEMS)
                    .containsEntry("recoveredItems", (long) ITEMS);
            assertThat(result.steps().get(1).counts()).containsEntry(Counts.DUPLICATED, 0L);
            assertThat(result.warnings())
                    .anySatisfy(warning -> assertThat(warning).contains("50 items became suspect"));
        }
    }

    @Test
    void shouldNameItemsThatTheHubDoesNotHold() throws Exception {
        try (RunningRoles roles = new RunningRoles()) {
            roles.start(
                    new MarketHub.Factory(),
                    Map.of("port", 0, "publisherPort", 0, "holdUntilItems", 20));
            roles.start(
                    new MarketPublisher.Factory(),
                    Map.of("itemCount", 20, "updateRate", 0, "runTime", "60s"));
            final RoleResult result =
                    roles.start(new MarketConsumer.Factory(), consumer("12s")).result();
            assertThat(result.failure())
                    .contains("20 of 50 images arrived", "30 items were closed", "item lists");
        }
    }

    @Test
    void shouldNamePlaceholdersThatAreNeverFilled() throws Exception {
        try (RunningRoles roles = new RunningRoles()) {
            roles.start(
                    new MarketHub.Factory(),
                    Map.of(
                            "port",
                            0,
                            "publisherPort",
                            0,
                            "holdUntilItems",
                            20,
                            "placeholders",
                            true));
            roles.start(
                    new MarketPublisher.Factory(),
                    Map.of("itemCount", 20, "updateRate", 0, "runTime", "60s"));
            final RoleResult result =
                    roles.start(new MarketConsumer.Factory(), consumer("12s")).result();
            assertThat(result.failure())
                    .contains("20 of 50 images arrived", "30 images were placeholders");
        }
    }

    @Test
    void shouldCarryOrderBooksFromEndToEnd() throws Exception {
        final Path messages = Files.writeString(folder.resolve("books.xml"), Books.FILE);
        final Path list =
                Files.writeString(
                        folder.resolve("items.xml"),
                        """
                        <itemList>
                          <item domain="MarketByOrder" name="BOOK1"/>
                          <item domain="MarketByOrder" name="BOOK2"/>
                        </itemList>
                        """);
        try (RunningRoles roles = new RunningRoles()) {
            final RunningRoles.StartedRole provider =
                    roles.start(
                            new MarketProvider.Factory(),
                            Map.of(
                                    "port",
                                    0,
                                    "updateRate",
                                    1000,
                                    "latencyUpdateRate",
                                    "all",
                                    "messageFile",
                                    messages.toString()));
            roles.start(
                    new MarketHub.Factory(),
                    Map.of(
                            "port", 0,
                            "publisherPort", -1,
                            "providers", List.of(roles.endpoint(MarketEndpoints.PROVIDER))));
            final Map<String, Object> books =
                    Map.of(
                            "itemCount",
                            2,
                            "itemFile",
                            list.toString(),
                            "steadyStateTime",
                            RunningRoles.STEADY_STATE);
            final RoleResult first =
                    roles.start(new MarketConsumer.Factory(), books).resultAfter(200);
            assertThat(first.failure()).isEmpty();
            assertThat(first.metrics()).containsEntry("images", 2L);
            assertThat(first.steps().get(1).counts()).containsEntry(Counts.LOST, 0L);
            assertThat(first.steps().get(1).counts().get("updates")).isGreaterThan(100);
            assertThat(first.steps().get(1).latencies()).containsKeys("responseNs", "serviceNs");
            provider.context().stop();
            assertThat(provider.result().metrics()).containsEntry("images", 2L);
        }
    }
}
