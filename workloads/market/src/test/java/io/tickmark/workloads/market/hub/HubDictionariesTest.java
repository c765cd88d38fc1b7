package io.tickmark.workloads.market.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.FieldList;
import com.refinitiv.ema.access.OmmReal;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.workloads.market.RunningRoles;
import io.tickmark.workloads.market.consumer.MarketConsumer;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.provider.MarketProvider;
import io.tickmark.workloads.market.rssl.Rssl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The hub's consumers read a provider's fields with the provider's dictionary. */
@Timeout(300)
class HubDictionariesTest {
    private static final String SERVICE = EmaProvider.SERVICE;
    private static final int PERMISSION = 1;
    private static final int FIELD = 10_000;
    private static final int FIELDS = 500;

    private final int port = Rssl.freePort("127.0.0.1", "--host");

    @TempDir private Path folder;

    /** Our own with fields that are in no other. */
    private void writeDictionary() throws IOException {
        FieldDictionary.writeOwn(folder);
        Files.write(
                folder.resolve(FieldDictionary.FIELD_FILE),
                IntStream.range(FIELD, FIELD + FIELDS)
                        .mapToObj("TM_%1$d \"FIELD %1$d\" %1$d NULL INTEGER 9 UINT64 8"::formatted)
                        .toList(),
                StandardOpenOption.APPEND);
    }

    private HubRunner hub(final Map<String, Object> more) {
        final Map<String, Object> settings = new java.util.HashMap<>(more);
        settings.put("providers", List.of("127.0.0.1:" + port));
        return new HubRunner(settings);
    }

    private static void openA(final EmaConsumer consumer) {
        consumer.open(SERVICE, "A").heard().await("the image", e -> e.is("refresh", "A"));
    }

    /** The provider holds back what it has for an item of that name. */
    private static void openAAndOneThatIsHeld(
            final EmaConsumer consumer, final EmaProvider provider) {
        openA(consumer);
        consumer.open(SERVICE, "HELD1");
        provider.heard().await("the request", e -> e.is("request", "HELD1"));
    }

    /** All that a consumer hears until it has the image of an item. */
    private static String imageOverJson(
            final HubRunner hub, final String service, final String item) throws Exception {
        try (JsonConsumer json = new JsonConsumer(hub)) {
            return json.open(service, item).heard();
        }
    }

    @Test
    void shouldPassOnTheDictionaryOfAProviderToEveryKindOfConsumer() throws Exception {
        writeDictionary();
        final FieldList fields = EmaFactory.createFieldList();
        fields.add(EmaFactory.createFieldEntry().uintValue(FIELD, 7));
        fields.add(EmaFactory.createFieldEntry().uintValue(FIELD + FIELDS - 1, 3));
        try (EmaProvider provider = new EmaProvider(port, folder);
                HubRunner hub = hub(Map.of("websocketPort", 0));
                EmaConsumer consumer = new EmaConsumer(hub.consumers())) {
            hub.awaitLine("which consumers get too");
            hub.awaitLine("provides " + SERVICE);
            openA(consumer);
            try (JsonConsumer json = new JsonConsumer(hub).open(SERVICE, "A")) {
                provider.update("A", fields);
                assertThat(consumer.heard().await("the update", e -> e.is("update", "A")).fields())
                        .isEqualTo(Map.of(FIELD, "7", FIELD + FIELDS - 1, "3"));
                json.await("\"TM_10000\":7");
                json.await("\"TM_10499\":3");
            }

            final RoleResult result = hub.stop();
            assertThat(result.failure()).isEmpty();
            assertThat(result.warnings()).isEmpty();
        }
    }

    /** Our consumer counts what its dictionary does not have. */
    @Test
    void shouldLeaveNoFieldUnknownToAConsumerThatDownloadsTheDictionary() throws Exception {
        writeDictionary();
        final Path list =
                Files.writeString(
                        folder.resolve("items.xml"),
                        """
                        <itemList>
                          <item domain="MarketPrice" name="FOREIGN1"/>
                        </itemList>
                        """);
        try (EmaProvider provider = new EmaProvider(port, folder);
                HubRunner hub = hub(Map.of());
                RunningRoles roles = new RunningRoles(60_000_000_000L)) {
            final String[] address = hub.consumers().split(":");
            final RoleResult result =
                    roles.start(
                                    new MarketConsumer.Factory(),
                                    Map.of(
                                            "host",
                                            address[0],
                                            "port",
                                            Integer.parseInt(address[1]),
                                            "itemCount",
                                            1,
                                            "itemFile",
                                            list.toString(),
                                            "snapshot",
                                            true,
                                            "steadyStateTime",
                                            "60s"))
                            .result();
            assertThat(result.failure()).isEmpty();
            assertThat(result.warnings()).noneMatch(w -> w.contains("not in the dictionary"));
            assertThat(provider.heard().events())
                    .filteredOn(e -> e.is("request", "FOREIGN1"))
                    .hasSize(1)
                    .first()
                    .satisfies(e -> assertThat(e.fields()).isEmpty());
            assertThat(provider.heard().events()).anyMatch(e -> e.is("dictionary", "RWFFld"));
        }
    }

    @Test
    void shouldServeConsumersAndSaySoWhereAProviderGivesNoDictionary() {
        try (EmaProvider provider = new EmaProvider(port);
                HubRunner hub = hub(Map.of());
                EmaConsumer consumer = new EmaConsumer(hub.consumers())) {
            openA(consumer);
            provider.heard().await("the request", e -> e.kind().equals("dictionary"));
            assertThat(hub.stop().warnings())
                    .singleElement()
                    .asString()
                    .contains("did not give the dictionary", "there is none");
        }
    }

    @Test
    void shouldAskAgainForWhatAProviderLeavesUnanswered() {
        try (EmaProvider provider = new EmaProvider(port);
                HubRunner hub = hub(Map.of("requestTimeout", "200ms"));
                EmaConsumer consumer = new EmaConsumer(hub.consumers())) {
            openAAndOneThatIsHeld(consumer, provider);
            provider.heard().await("the same once more", e -> e.is("reissue", "HELD1"));

            final RoleResult result = hub.stop();
            assertThat(result.metrics().get("requestsRepeated")).isNotEqualTo(0L);
            assertThat(String.join("\n", result.warnings()))
                    .contains("sent again, as providers", "HELD1 of " + SERVICE)
                    .contains("1 request for an item stayed unanswered")
                    .contains("the first: HELD1 of %s at 127.0.0.1:%d".formatted(SERVICE, port));
        }
    }

    /** What is requested after them is asked for again, so their time is over as well. */
    @Test
    void shouldNotAskAgainForWhatAProviderAnswersWithAStateOrAPartOfAnImage() {
        try (EmaProvider provider = new EmaProvider(port);
                HubRunner hub = hub(Map.of("requestTimeout", "1h"));
                EmaConsumer consumer = new EmaConsumer(hub.consumers())) {
            openA(consumer);
            consumer.open(SERVICE, "STALE1").open(SERVICE, "HALF1").open(SERVICE, "HELD1");
            consumer.heard()
                    .await(
                            "its state",
                            e -> e.is("status", "STALE1") && e.state().startsWith("Open/Suspect"));
            HubDropsTest.awaitCount(hub, "imagesIn", 2);
            provider.heard().await("the request", e -> e.is("request", "HELD1"));
            hub.skip(Duration.ofHours(2));
            provider.heard().await("the same once more", e -> e.is("reissue", "HELD1"));
            assertThat(provider.heard().events())
                    .filteredOn(e -> e.kind().equals("reissue"))
                    .extracting(Heard.Event::item)
                    .containsExactly("HELD1");

            final RoleResult result = hub.stop();
            assertThat(result.metrics()).containsEntry("requestsRepeated", 1L);
            assertThat(String.join("\n", result.warnings()))
                    .contains("HELD1 of " + SERVICE)
                    .doesNotContain("STALE1", "HALF1");
        }
    }

    /** By then the consumer's streams are closed, and the hub holds no item. */
    @Test
    void shouldSayWhatStayedUnansweredWhereItEndsWithItsConsumers() {
        try (EmaProvider provider = new EmaProvider(port);
                HubRunner hub = hub(Map.of("endWithConsumers", true))) {
            try (EmaConsumer consumer = new EmaConsumer(hub.consumers())) {
                openAAndOneThatIsHeld(consumer, provider);
            }
            final RoleResult result = hub.result();
            assertThat(result.metrics()).containsEntry("requestsUnanswered", 1L);
            assertThat(String.join("\n", result.warnings()))
                    .contains("1 request for an item stayed unanswered")
                    .contains("the first: HELD1 of %s at 127.0.0.1:%d".formatted(SERVICE, port));
        }
    }

    @Test
    void shouldCountARequestThatIsLostWithItsProvider() {
        final EmaProvider provider = new EmaProvider(port);
        try (HubRunner hub = hub(Map.of());
                EmaConsumer consumer = new EmaConsumer(hub.consumers())) {
            try (provider) {
                openAAndOneThatIsHeld(consumer, provider);
            }
            HubDropsTest.awaitCount(hub, "requestsUnanswered", 1);
            assertThat(hub.stop().metrics()).containsEntry("requestsUnanswered", 1L);
        }
    }

    @Test
    void shouldSayThatServicesAreMissingWhileItWaitsForTheirDictionary() {
        try (EmaProvider provider = new EmaProvider(port).withholdDictionary();
                HubRunner hub = hub(Map.of("requestTimeout", "0s"))) {
            provider.heard().await("the request", e -> e.kind().equals("dictionary"));
            assertThat(hub.stop().warnings())
                    .singleElement()
                    .asString()
                    .contains("had not given its dictionary by the end", "services were missing");
        }
    }

    /** As our own, but with another name of one field, and another type of one that we add. */
    private Path writeOtherDictionary() throws IOException {
        final Path other = Files.createDirectory(folder.resolve("other"));
        FieldDictionary.writeOwn(other);
        final Path fields = other.resolve(FieldDictionary.FIELD_FILE);
        Files.writeString(
                fields,
                Files.readString(fields).replace("PROD_PERM ", "SALE_PERM ")
                        + "TM_10000 \"FIELD 10000\" 10000 NULL PRICE 17 REAL64 9\n");
        return other;
    }

    private static FieldList permissionAndBid(final long permission) {
        final FieldList fields = EmaFactory.createFieldList();
        fields.add(EmaFactory.createFieldEntry().uintValue(PERMISSION, permission));
        fields.add(
                EmaFactory.createFieldEntry().real(22, 444, OmmReal.MagnitudeType.EXPONENT_NEG_2));
        return fields;
    }

    /** The converter to JSON has one dictionary, in which the first provider's come first. */
    @Test
    void shouldNameFieldsOverJsonAsTheirProviderDoesOrLeaveThemOut() throws Exception {
        writeDictionary();
        final Path other = writeOtherDictionary();
        final int otherPort = Rssl.freePort("127.0.0.1", "--host");
        try (EmaProvider provider = new EmaProvider(port, folder);
                HubRunner hub =
                        new HubRunner(
                                Map.of(
                                        "websocketPort",
                                        0,
                                        "providers",
                                        List.of("127.0.0.1:" + port, "127.0.0.1:" + otherPort)));
                RunningRoles roles = new RunningRoles(90_000_000_000L)) {
            hub.awaitLine("provides " + SERVICE);
            roles.start(
                    new MarketProvider.Factory(),
                    Map.of(
                            "port",
                            otherPort,
                            "serviceName",
                            "OTHER_FEED",
                            "updateRate",
                            0,
                            "fieldDictionary",
                            other.resolve(FieldDictionary.FIELD_FILE).toString(),
                            "enumDictionary",
                            other.resolve(FieldDictionary.ENUM_FILE).toString()));
            hub.awaitLine("provides OTHER_FEED");
            try (JsonConsumer json = new JsonConsumer(hub).open(SERVICE, "A")) {
                provider.update("A", permissionAndBid(7));
                json.await("\"PROD_PERM\":7");
            }
            assertThat(imageOverJson(hub, "OTHER_FEED", "TMK1")).doesNotContain("_PERM");

            final RoleResult result = hub.stop();
            assertThat(result.metrics())
                    .containsEntry("jsonFieldsSkipped", 1L)
                    .containsEntry("dictionaryConflicts", 2L);
            assertThat(String.join("\n", result.warnings()))
                    .contains("1 field was left out of what consumers got as JSON")
                    .contains(
                            "field 1, which is SALE_PERM of type UINT for OTHER_FEED"
                                    + " and PROD_PERM of type UINT for another service")
                    .contains("2 fields have another name, type or enumeration")
                    .contains("field 1 is SALE_PERM of type UINT in that of 127.0.0.1:" + otherPort)
                    .contains(" and PROD_PERM of type UINT elsewhere");
        }
    }

    /** The provider whose dictionary came first has another field of that name. */
    @Test
    void shouldFindTheFieldsOfAViewInTheDictionaryOfTheProviderThatServesIt() throws Exception {
        writeDictionary();
        final Path other = Files.createDirectory(folder.resolve("other"));
        FieldDictionary.writeOwn(other);
        Files.writeString(
                other.resolve(FieldDictionary.FIELD_FILE),
                "TM_10000 \"FIELD 20000\" 20000 NULL INTEGER 9 UINT64 8\n",
                StandardOpenOption.APPEND);
        final FieldList fields = EmaFactory.createFieldList();
        fields.add(EmaFactory.createFieldEntry().uintValue(20_000, 7));
        final int firstPort = Rssl.freePort("127.0.0.1", "--host");
        try (HubRunner hub =
                        new HubRunner(
                                Map.of(
                                        "websocketPort",
                                        0,
                                        "providers",
                                        List.of("127.0.0.1:" + firstPort, "127.0.0.1:" + port)));
                RunningRoles roles = new RunningRoles(90_000_000_000L)) {
            roles.start(
                    new MarketProvider.Factory(),
                    Map.of(
                            "port",
                            firstPort,
                            "serviceName",
                            "FIRST_FEED",
                            "updateRate",
                            0,
                            "fieldDictionary",
                            folder.resolve(FieldDictionary.FIELD_FILE).toString(),
                            "enumDictionary",
                            folder.resolve(FieldDictionary.ENUM_FILE).toString()));
            hub.awaitLine("provides FIRST_FEED");
            try (EmaProvider provider = new EmaProvider(port, other);
                    JsonConsumer json = new JsonConsumer(hub)) {
                hub.awaitLine("provides " + SERVICE);
                json.askByNames("\"" + SERVICE + "\"", "A", "BID", "TM_10000");
                json.await("\"BID\":");
                provider.update("A", fields);
                json.await("\"TM_10000\":7");

                json.askByNames("2", "B", "TM_10000"); // which says its name to nobody
                json.await("it names the field TM_10000 but not the service");
            }

            final RoleResult result = hub.stop();
            assertThat(result.metrics()).containsEntry("requestsRefused", 1L);
            assertThat(String.join("\n", result.warnings()))
                    .contains("1 request of consumers was refused")
                    .contains("for %s that is not the same field".formatted(SERVICE));
        }
    }

    /** Its items are read with the hub's own dictionary, also when it has gone. */
    @Test
    void shouldNotNameFieldsOfAPublisherAsAProviderDoes() throws Exception {
        final Path other = writeOtherDictionary();
        try (EmaProvider _ = new EmaProvider(port, other);
                HubRunner hub = hub(Map.of("websocketPort", 0))) {
            hub.awaitLine("provides " + SERVICE);
            assertThat(hub.count("dictionaryConflicts")).isZero();
            try (EmaPublisher publisher = new EmaPublisher(hub.publishers())) {
                publisher.image("A", 1, permissionAndBid(7));
                HubPublishersTest.awaitItems(hub, 1);
                assertThat(imageOverJson(hub, EmaPublisher.SERVICE, "A")).doesNotContain("_PERM");
            }
            hub.awaitLine("no longer provides " + EmaPublisher.SERVICE);
            assertThat(imageOverJson(hub, EmaPublisher.SERVICE, "A")).doesNotContain("_PERM");

            final RoleResult result = hub.stop();
            assertThat(result.metrics())
                    .containsEntry("jsonFieldsSkipped", 2L)
                    .containsEntry("dictionaryConflicts", 1L);
        }
    }

    /** Those of the provider whose dictionary came first have their names in any container. */
    @Test
    void shouldCountWhatItCannotSeparateIfItsFieldsMayHaveAnotherProvidersNames() throws Exception {
        final Path other = writeOtherDictionary();
        try (EmaProvider provider = new EmaProvider(port, other);
                HubRunner hub = hub(Map.of("websocketPort", 0));
                EmaPublisher publisher = new EmaPublisher(hub.publishers())) {
            hub.awaitLine("provides " + SERVICE);
            try (JsonConsumer json = new JsonConsumer(hub).open(SERVICE, "B")) {
                provider.updateVector("B", permissionAndBid(3));
                json.await("\"SALE_PERM\":3");
                assertThat(hub.count("jsonNotSeparated")).isZero();
                publisher.image("A", 1, 100, 200);
                HubPublishersTest.awaitItems(hub, 2);
            }
            try (JsonConsumer json = new JsonConsumer(hub).open(EmaPublisher.SERVICE, "A")) {
                publisher.updateVector("A", 1, permissionAndBid(7));
                json.await("\"SALE_PERM\":7"); // the hub's own: PROD_PERM
            }

            final RoleResult result = hub.stop();
            assertThat(result.failure()).isEmpty();
            assertThat(result.metrics()).containsEntry("jsonNotSeparated", 1L);
            assertThat(result.warnings())
                    .anySatisfy(warning ->
                            assertThat(warning)
                                    .contains("1 message went out whole to consumers over JSON")
                                    .contains("; the first: one of " + EmaPublisher.SERVICE));
        }
    }

    @Test
    void shouldSayThatAProviderHasNamedNoService() {
        try (EmaProvider provider = EmaProvider.withoutDirectory(port);
                HubRunner hub = hub(Map.of())) {
            provider.heard().await("the request", e -> e.kind().equals("directory"));
            assertThat(hub.stop().warnings())
                    .singleElement()
                    .asString()
                    .contains("127.0.0.1:%d had named no service by the end".formatted(port));
        }
    }
}
