package io.tickmark.workloads.market.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.PostMsg;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.workloads.market.RunningRoles;
import io.tickmark.workloads.market.consumer.MarketConsumer;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.rssl.Rssl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The hub asks interactive providers of the Message API for what its consumers want. */
@Timeout(300)
class HubProvidersTest {
    private static final String SERVICE = EmaProvider.SERVICE;

    private final int port = Rssl.freePort("127.0.0.1", "--host");

    private HubRunner hub(final boolean cache) {
        return new HubRunner(Map.of("providers", List.of("127.0.0.1:" + port), "cache", cache));
    }

    private static PostMsg post(final long bid) {
        return EmaFactory.createPostMsg()
                .postId(7)
                .publisherId(42, 0x7f000001L)
                .solicitAck(true)
                .complete(true)
                .payload(EmaFactory.createUpdateMsg().payload(EmaPublisher.prices(bid, 0)));
    }

    @Test
    void shouldAskTheProviderOnceForAllConsumers() {
        try (EmaProvider provider = new EmaProvider(port);
                HubRunner hub = hub(true);
                EmaConsumer first = new EmaConsumer(hub.consumers());
                EmaConsumer second = new EmaConsumer(hub.consumers())) {
            first.open(SERVICE, "A").heard().await("the image", e -> e.is("refresh", "A"));
            provider.update("A", 150, 0);
            first.heard().await("the update", e -> e.is("update", "A"));
            final Heard.Event image =
                    second.open(SERVICE, "A").heard().await("image", e -> e.is("refresh", "A"));
            provider.update("A", 0, 250);
            first.heard().await("the update", e -> e.fields().equals(Map.of(25, "2.50")));
            second.heard().await("the update", e -> e.fields().equals(Map.of(25, "2.50")));

            assertThat(image.fields()).isEqualTo(Map.of(22, "1.50", 25, "2.00"));
            assertThat(provider.heard().events()).filteredOn(e -> e.is("request", "A")).hasSize(1);
            first.close("A");
            second.close("A");
            provider.heard().await("the close", e -> e.kind().equals("close"));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldAskTheProviderOnceForAllWhoWaitForTheFirstImage(final boolean cache) {
        try (EmaProvider provider = new EmaProvider(port);
                HubRunner hub = hub(cache);
                EmaConsumer first = new EmaConsumer(hub.consumers());
                EmaConsumer second = new EmaConsumer(hub.consumers())) {
            first.open(SERVICE, "HELD");
            provider.heard().await("the request", e -> e.is("request", "HELD"));
            second.open(SERVICE, "HELD").open(SERVICE, "BEHIND");
            second.heard().await("what is behind it", e -> e.is("refresh", "BEHIND"));
            provider.image("HELD");
            first.heard().await("the image", e -> e.is("refresh", "HELD"));
            second.heard().await("the image", e -> e.is("refresh", "HELD"));
            provider.update("HELD", 150, 0);

            for (final EmaConsumer each : List.of(first, second)) {
                each.heard().await("the update", e -> e.is("update", "HELD"));
                assertThat(each.heard().events())
                        .filteredOn(e -> e.is("refresh", "HELD"))
                        .hasSize(1);
            }
            assertThat(provider.heard().events())
                    .filteredOn(e -> e.item().equals("HELD"))
                    .extracting(Heard.Event::kind)
                    .containsExactly("request");
        }
    }

    @Test
    void shouldReportOnceWhyAProviderCannotBeReached() {
        final String peer = "127.0.0.1:" + port;
        final String line = "The provider " + peer + " cannot be reached (";
        try (HubRunner hub = hub(true)) {
            hub.awaitLine(line);
            try (EmaProvider _ = new EmaProvider(port)) {
                hub.awaitLine(peer + " provides " + SERVICE);
                assertThat(hub.lines()).filteredOn(shown -> shown.startsWith(line)).hasSize(1);
            }
            assertThat(hub.stop().warnings()).noneMatch(warning -> warning.contains("reached"));
        }
    }

    @Test
    void shouldWarnOfAProviderThatWasNeverReached() {
        try (HubRunner hub = hub(true)) {
            hub.awaitLine("cannot be reached (");
            assertThat(hub.stop().warnings())
                    .singleElement()
                    .asString()
                    .contains("never reached the provider 127.0.0.1:" + port, "--providers");
        }
    }

    @Test
    void shouldServeABatchWithAViewItemByItem() {
        try (EmaProvider provider = new EmaProvider(port);
                HubRunner hub = hub(true);
                EmaConsumer consumer = new EmaConsumer(hub.consumers())) {
            consumer.open(SERVICE, "A").heard().await("the image", e -> e.is("refresh", "A"));
            consumer.openBatch(SERVICE, List.of("B", "C", "D"), 22);
            for (final String item : List.of("B", "C", "D")) {
                provider.heard().await("a request for " + item, e -> e.is("request", item));
            }
            for (int images = 1; images <= 3; images++) {
                final int wanted = images;
                consumer.heard()
                        .await(
                                "image " + images,
                                any ->
                                        consumer.heard().events().stream()
                                                        .filter(e -> e.is("refresh", "batch"))
                                                        .count()
                                                >= wanted);
            }
            assertThat(consumer.heard().events())
                    .filteredOn(e -> e.is("refresh", "batch"))
                    .allSatisfy(e -> assertThat(e.fields().keySet()).containsExactly(22));
        }
    }

    @Test
    void shouldPutTheImageTogetherThatComesInParts() {
        try (EmaProvider provider = new EmaProvider(port);
                HubRunner hub = hub(true);
                EmaConsumer consumer = new EmaConsumer(hub.consumers())) {
            final Heard.Event image =
                    consumer.open(SERVICE, "PARTS")
                            .heard()
                            .await("the image", e -> e.is("refresh", "PARTS"));
            assertThat(image.fields()).isEqualTo(Map.of(22, "1.00", 25, "2.00"));
            assertThat(consumer.heard().events())
                    .filteredOn(e -> e.is("refresh", "PARTS"))
                    .hasSize(1);
            assertThat(provider.heard().events())
                    .filteredOn(e -> e.is("request", "PARTS"))
                    .hasSize(1);
        }
    }

    /** Asking for images before anything counts has no more patience than asking for them. */
    @ParameterizedTest
    @CsvSource({"9s,9s,false", "9s,9s,true", "0s,9s,false"})
    void shouldCountAnImageWhenItsLastPartHasCome(
            final String steadyStateTime,
            final String patience,
            final boolean primeJvm,
            @TempDir final Path folder)
            throws Exception {
        FieldDictionary.writeOwn(folder); // this provider sends none
        final Path list =
                Files.writeString(
                        folder.resolve("items.xml"),
                        """
                        <itemList>
                          <item domain="MarketPrice" name="PARTS1"/>
                          <item domain="MarketPrice" name="HALF1"/>
                        </itemList>
                        """);
        try (EmaProvider provider = new EmaProvider(port);
                RunningRoles roles = new RunningRoles(9_000_000_000L)) {
            final RoleResult result =
                    roles.start(
                                    new MarketConsumer.Factory(),
                                    Map.of(
                                            "host",
                                            "127.0.0.1",
                                            "port",
                                            port,
                                            "itemCount",
                                            2,
                                            "itemFile",
                                            list.toString(),
                                            "fieldDictionary",
                                            folder.resolve(FieldDictionary.FIELD_FILE).toString(),
                                            "enumDictionary",
                                            folder.resolve(FieldDictionary.ENUM_FILE).toString(),
                                            "primeJvm",
                                            primeJvm,
                                            "steadyStateTime",
                                            steadyStateTime))
                            .result();
            assertThat(result.failure())
                    .contains("not reached within " + patience, "1 of 2 images arrived");
            assertThat(provider.heard().events())
                    .filteredOn(e -> e.kind().equals("request"))
                    .hasSize(2);
        }
    }

    @Test
    void shouldAskTheProviderAgainWhereNothingIsCached() {
        try (EmaProvider provider = new EmaProvider(port);
                HubRunner hub = hub(false);
                EmaConsumer first = new EmaConsumer(hub.consumers());
                EmaConsumer second = new EmaConsumer(hub.consumers())) {
            first.open(SERVICE, "A").heard().await("the image", e -> e.is("refresh", "A"));
            second.open(SERVICE, "A").heard().await("the image", e -> e.is("refresh", "A"));

            provider.heard().await("the reissue", e -> e.is("reissue", "A"));
            provider.update("A", 0, 250);
            first.heard().await("the update", e -> e.is("update", "A"));
            second.heard().await("the update", e -> e.is("update", "A"));
            assertThat(first.heard().events()).filteredOn(e -> e.is("refresh", "A")).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldMarkItemsSuspectWhenTheProviderGoesAndAskAgainWhenItComesBack(final boolean cache) {
        try (HubRunner hub = hub(cache)) {
            EmaProvider provider = new EmaProvider(port);
            try (EmaConsumer consumer = new EmaConsumer(hub.consumers())) {
                consumer.open(SERVICE, "A").heard().await("image", e -> e.is("refresh", "A"));
                provider.close();
                consumer.heard().await("suspect", e -> e.state().startsWith("Open/Suspect"));
                consumer.heard().events().clear();
                provider = new EmaProvider(port);
                assertThat(
                                consumer.heard()
                                        .await("the recovered item", e -> e.is("refresh", "A"))
                                        .state())
                        .startsWith("Open/Ok");
                provider.update("A", 170, 0);
                consumer.heard().await("an update", e -> e.is("update", "A"));
            } finally {
                provider.close();
            }
        }
    }

    @Test
    void shouldReflectPostsThatTheProviderDoesNotTakeAndAcknowledgeThem() {
        try (EmaProvider provider = new EmaProvider(port);
                HubRunner hub = hub(true);
                EmaConsumer poster = new EmaConsumer(hub.consumers());
                EmaConsumer watcher = new EmaConsumer(hub.consumers())) {
            poster.open(SERVICE, "A").heard().await("the image", e -> e.is("refresh", "A"));
            watcher.open(SERVICE, "A").heard().await("the image", e -> e.is("refresh", "A"));
            poster.post("A", post(333));
            assertThat(poster.heard().await("the ack", e -> e.is("ack", "A")).state())
                    .isEqualTo("7");
            for (final EmaConsumer each : List.of(poster, watcher)) {
                final Heard.Event reflected =
                        each.heard().await("the reflected post", e -> e.is("update", "A"));
                assertThat(reflected.fields()).isEqualTo(Map.of(22, "3.33"));
                assertThat(reflected.poster()).isEqualTo(42);
            }
            assertThat(provider.heard().events()).noneMatch(e -> e.kind().equals("post"));
        }
    }

    @Test
    void shouldServePostsWithoutAnyProviderFromItsOwnService() {
        try (HubRunner hub = new HubRunner(Map.of("ownService", "OWN", "ownItems", 10));
                EmaConsumer poster = new EmaConsumer(hub.consumers())) {
            final Heard.Event image =
                    poster.open("OWN", "TMK10")
                            .heard()
                            .await("image", e -> e.is("refresh", "TMK10"));
            assertThat(image.fields()).hasSizeGreaterThan(40).containsEntry(22, "12.04");

            poster.post("TMK10", post(444));
            poster.heard().await("the ack", e -> e.is("ack", "TMK10"));
            poster.heard().await("the reflected post", e -> e.poster() == 42);
            try (EmaConsumer later = new EmaConsumer(hub.consumers())) {
                assertThat(
                                later.open("OWN", "TMK10")
                                        .heard()
                                        .await("the image", e -> e.is("refresh", "TMK10"))
                                        .fields())
                        .containsEntry(22, "4.44");
                later.open("OWN", "TMK11");
                assertThat(later.heard().await("closed", e -> e.is("status", "TMK11")).state())
                        .isEqualTo("CLOSED/Suspect/NotFound");
            }
        }
    }

    /** The item is the hub's own: there is no receiver. */
    @Test
    void shouldSayHowManyGenericMessagesReachedNoProvider() {
        try (HubRunner hub = new HubRunner(Map.of("ownService", "OWN", "ownItems", 10));
                EmaConsumer sender = new EmaConsumer(hub.consumers())) {
            sender.open("OWN", "TMK1").heard().await("the image", e -> e.is("refresh", "TMK1"));
            sender.generic("TMK1", EmaPublisher.prices(1, 2));
            sender.post("TMK1", post(333)); // behind it: what is answered has been read
            sender.heard().await("the ack", e -> e.is("ack", "TMK1"));

            final RoleResult result = hub.stop();
            assertThat(result.metrics()).containsEntry("genericMessagesDropped", 1L);
            assertThat(result.warnings())
                    .singleElement()
                    .asString()
                    .contains("1 generic message of consumers reached no provider");
        }
    }
}
