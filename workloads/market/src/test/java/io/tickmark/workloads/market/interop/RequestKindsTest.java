package io.tickmark.workloads.market.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.refinitiv.eta.rdm.DomainTypes;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.workloads.market.MarketEndpoints;
import io.tickmark.workloads.market.RunningRoles;
import io.tickmark.workloads.market.VendorConsumer;
import io.tickmark.workloads.market.VendorConsumer.Seen;
import io.tickmark.workloads.market.hub.MarketHub;
import io.tickmark.workloads.market.provider.MarketProvider;
import io.tickmark.workloads.market.rssl.Rssl;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Batches, views and warm standby as the vendor's reactor asks for them, at our provider and at a
 * hub behind it, with images from its cache and passed through.
 */
class RequestKindsTest {
    private static final String SERVICE = "DIRECT_FEED";
    private static final int BID = 22;
    private static final int ASK = 25;

    private static final RunningRoles STAGE = new RunningRoles();
    private static final Map<String, String> SERVERS = new java.util.HashMap<>();

    @BeforeAll
    static void serve() {
        final int port = Rssl.freePort("127.0.0.1", "--host");
        STAGE.start(new MarketProvider.Factory(), Map.of("port", port, "updateRate", 1000));
        SERVERS.put("provider", STAGE.endpoint(MarketEndpoints.PROVIDER));
        final int emaPort = Rssl.freePort("127.0.0.1", "--host");
        STAGE.start(
                new MarketProvider.Factory(),
                Map.of("port", emaPort, "api", "ema", "updateRate", 1000));
        SERVERS.put("provider on the Message API", "127.0.0.1:" + emaPort);
        awaitListening(emaPort);
        for (final boolean caches : new boolean[] {true, false}) {
            final int hubPort = Rssl.freePort("127.0.0.1", "--host");
            STAGE.start(
                    new MarketHub.Factory(),
                    Map.of(
                            "port",
                            hubPort,
                            "publisherPort",
                            -1,
                            "providers",
                            List.of("127.0.0.1:" + port),
                            "reconnectDelay",
                            "50ms",
                            "cache",
                            caches));
            SERVERS.put(caches ? "hub" : "hub without cache", "127.0.0.1:" + hubPort);
        }
    }

    /** The library opens its port in a thread of its own, and says nothing of it. */
    private static void awaitListening(final int port) {
        final long beginNs = System.nanoTime();
        while (true) {
            try (Socket _ = new Socket("127.0.0.1", port)) {
                return;
            } catch (final IOException e) {
                if (System.nanoTime() - beginNs > 60_000_000_000L) {
                    throw new AssertionError("nothing listens on port " + port, e);
                }
                Thread.onSpinWait();
            }
        }
    }

    @AfterAll
    static void end() {
        STAGE.close();
    }

    private static VendorConsumer consumer(final String server) {
        return new VendorConsumer(SERVERS.get(server), SERVICE);
    }

    private static boolean isImage(final Seen seen, final int streamId) {
        return seen.isImage() && seen.streamId() == streamId;
    }

    private static boolean isUpdate(final Seen seen, final int streamId) {
        return seen.isUpdate() && seen.streamId() == streamId;
    }

    @ParameterizedTest
    @ValueSource(strings = {"provider", "hub", "hub without cache"})
    void shouldOpenAStreamForEachItemOfABatch(final String server) {
        try (VendorConsumer consumer = consumer(server)) {
            assertThat(consumer.features())
                    .containsEntry("SupportBatchRequests", 1L)
                    .containsEntry("SupportViewRequests", 1L)
                    .containsEntry("SupportStandby", 1L);
            consumer.requestBatch(SERVICE, 10, List.of("TMK1", "TMK2", "TMK3"));
            final Seen batch = consumer.await("end of the batch", each -> each.streamId() == 10);
            assertThat(batch.state()).isEqualTo("CLOSED/OK/NONE");
            for (int stream = 11; stream <= 13; stream++) {
                final int wanted = stream;
                consumer.await("image on " + stream, each -> isImage(each, wanted));
                consumer.await("update on " + stream, each -> isUpdate(each, wanted));
            }
            consumer.close(12);
            assertThat(consumer.seen()).noneMatch(each -> each.streamId() > 13);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"provider", "hub"})
    void shouldRefuseABatchWhoseStreamsAreOpen(final String server) {
        try (VendorConsumer consumer = consumer(server)) {
            consumer.request(SERVICE, 11, "TMK1");
            consumer.await("image", each -> isImage(each, 11));
            consumer.requestBatch(SERVICE, 10, List.of("TMK2", "TMK3"));
            final Seen batch = consumer.await("refusal", each -> each.streamId() == 10);
            assertThat(batch.state()).isEqualTo("CLOSED/SUSPECT/UNABLE_TO_REQUEST_AS_BATCH");
            assertThat(batch.text()).contains("stream 11");
        }
    }

    /** They had been taken for requests of the image, and their own items were never heard of. */
    @ParameterizedTest
    @ValueSource(strings = {"provider", "provider on the Message API", "hub"})
    void shouldRefuseABatchOrAnotherItemOnAnOpenStreamAndKeepTheStream(final String server) {
        try (VendorConsumer consumer = consumer(server)) {
            consumer.request(SERVICE, 5, "TMK1");
            consumer.await("image", each -> isImage(each, 5));
            consumer.requestBatch(SERVICE, 5, List.of("TMK2", "TMK3"));
            final Seen batch = consumer.await("refusal of the batch", Seen::isStatus);
            assertThat(batch.streamId()).isEqualTo(5);
            assertThat(batch.state()).isEqualTo("OPEN/NO_CHANGE/UNABLE_TO_REQUEST_AS_BATCH");
            assertThat(batch.text()).matches(".*stream (5 )?is open for TMK1.*");
            consumer.request(SERVICE, 5, "TMK2");
            final Seen another =
                    consumer.await(
                            "refusal of the item",
                            each -> each.state().equals("OPEN/NO_CHANGE/USAGE_ERROR"));
            assertThat(another.text())
                    .matches(".*stream (5 )?is open for TMK1.* in domain MARKET_PRICE: .*");
            final int before = consumer.seen().size();
            consumer.await("updates", before + 20, each -> isUpdate(each, 5));
            assertThat(consumer.seen())
                    .noneMatch(each -> each.streamId() > 5)
                    .filteredOn(Seen::isImage)
                    .hasSize(1);
            consumer.request(SERVICE, 7, "TMK2");
            consumer.await("image of the other item", each -> isImage(each, 7));
        }
    }

    /**
     * A stream is known by its id alone: a request with the name of its item in another domain had
     * been taken for one of its image, or had closed the stream.
     */
    @ParameterizedTest
    @ValueSource(strings = {"provider", "provider on the Message API", "hub"})
    void shouldRefuseTheSameNameInAnotherDomainOnAnOpenStreamAndKeepTheStream(final String server) {
        try (VendorConsumer consumer = consumer(server)) {
            consumer.request(SERVICE, 5, "TMK1");
            consumer.await("image", each -> isImage(each, 5));
            consumer.requestIn(DomainTypes.MARKET_BY_ORDER, SERVICE, 5, "TMK1");
            final Seen refusal = consumer.await("refusal", Seen::isStatus);
            assertThat(refusal.streamId()).isEqualTo(5);
            assertThat(refusal.domainType()).isEqualTo(DomainTypes.MARKET_PRICE);
            assertThat(refusal.state()).isEqualTo("OPEN/NO_CHANGE/USAGE_ERROR");
            final int before = consumer.seen().size();
            consumer.await("updates", before + 20, each -> isUpdate(each, 5));
            assertThat(consumer.seen())
                    .allMatch(each -> each.domainType() == DomainTypes.MARKET_PRICE)
                    .filteredOn(Seen::isImage)
                    .hasSize(1);
            consumer.requestAgain(SERVICE, 5);
            consumer.await("image again", 2, each -> isImage(each, 5));
        }
    }

    /** The image ended the stream: what comes on it is a request of its own, whatever it names. */
    @ParameterizedTest
    @ValueSource(strings = {"provider", "provider on the Message API", "hub"})
    void shouldAnswerEachRequestOnAStreamThatASnapshotHasEnded(final String server) {
        try (VendorConsumer consumer = consumer(server)) {
            consumer.requestSnapshot(SERVICE, 5, "TMK1");
            assertThat(consumer.await("image", each -> isImage(each, 5)).state())
                    .startsWith("NON_STREAMING/OK/");
            consumer.requestSnapshot(SERVICE, 5, "TMK1");
            consumer.await("image again", 2, each -> isImage(each, 5));
            consumer.requestAgain(SERVICE, 5);
            assertThat(consumer.await("refusal without a name", Seen::isStatus).state())
                    .matches("CLOSED(_RECOVER)?/SUSPECT/.*");
            consumer.request(SERVICE, 5, "TMK2");
            consumer.await("image of another item", 3, each -> isImage(each, 5));
            consumer.await("its updates", each -> isUpdate(each, 5));
        }
    }

    /** Such as a batch that lists streams to be changed, which the login does not offer. */
    @ParameterizedTest
    @ValueSource(strings = {"provider", "hub"})
    void shouldRefuseABatchWithoutItems(final String server) {
        try (VendorConsumer consumer = consumer(server)) {
            consumer.requestBatch(SERVICE, 10, List.of());
            final Seen refusal = consumer.await("refusal", each -> each.streamId() == 10);
            assertThat(refusal.state()).isEqualTo("CLOSED/SUSPECT/UNABLE_TO_REQUEST_AS_BATCH");
            assertThat(refusal.text()).contains("names no item");
        }
    }

    /** There the library knows neither, and hands a batch on as a request without a name. */
    @Test
    void shouldRefuseBatchesOnTheMessageApiAndOfferNothing() {
        try (VendorConsumer consumer = consumer("provider on the Message API")) {
            assertThat(consumer.features())
                    .doesNotContainKeys(
                            "SupportBatchRequests", "SupportViewRequests", "SupportStandby");
            consumer.requestBatch(SERVICE, 10, List.of("TMK1", "TMK2"));
            assertThat(consumer.await("refusal", each -> each.streamId() == 10).state())
                    .startsWith("CLOSED/SUSPECT/");
            consumer.request(SERVICE, 20, "TMK1");
            consumer.await("image", each -> isImage(each, 20));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"provider", "hub"})
    void shouldRefuseAViewOfElementNames(final String server) {
        try (VendorConsumer consumer = consumer(server)) {
            consumer.requestElements(SERVICE, 5, "TMK1");
            final Seen refusal = consumer.await("refusal", each -> each.streamId() == 5);
            assertThat(refusal.state()).isEqualTo("CLOSED/SUSPECT/INVALID_VIEW");
        }
    }

    /** It had been taken for a request that does not say its view again. */
    @ParameterizedTest
    @ValueSource(strings = {"provider", "hub"})
    void shouldRefuseAViewThatItCannotReadOnAnOpenStreamAndKeepTheOneBefore(final String server) {
        try (VendorConsumer consumer = consumer(server)) {
            consumer.request(SERVICE, 5, "TMK1", BID);
            consumer.await("image", each -> isImage(each, 5));
            consumer.requestElements(SERVICE, 5, "TMK1");
            final Seen refusal = consumer.await("refusal", Seen::isStatus);
            assertThat(refusal.streamId()).isEqualTo(5);
            assertThat(refusal.state()).isEqualTo("OPEN/NO_CHANGE/INVALID_VIEW");
            assertThat(refusal.text()).contains("its view names elements");
            final int before = consumer.seen().size();
            consumer.await("updates", before + 20, each -> isUpdate(each, 5));
            assertThat(consumer.seen())
                    .filteredOn(each -> isUpdate(each, 5))
                    .allSatisfy(each -> assertThat(each.fields()).isSubsetOf(Set.of(BID)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"provider", "hub", "hub without cache"})
    void shouldSendTheFieldsOfAViewAlone(final String server) {
        try (VendorConsumer consumer = consumer(server)) {
            consumer.request(SERVICE, 6, "TMK1");
            consumer.request(SERVICE, 5, "TMK1", BID, 4242);
            assertThat(consumer.await("image", each -> isImage(each, 5)).fields())
                    .containsExactly(BID);
            final Predicate<Seen> updates = each -> isUpdate(each, 5);
            consumer.await("updates", 20, updates);
            assertThat(consumer.seen())
                    .filteredOn(updates)
                    .allSatisfy(each -> assertThat(each.fields()).isSubsetOf(Set.of(BID)))
                    .anySatisfy(each -> assertThat(each.fields()).containsExactly(BID));
            consumer.await("updates", 20, each -> isUpdate(each, 6));
            assertThat(consumer.seen())
                    .filteredOn(each -> each.streamId() == 6)
                    .allSatisfy(each -> assertThat(each.fields()).hasSizeGreaterThan(2));

            consumer.request(SERVICE, 5, "TMK1", ASK);
            consumer.await(
                    "image of the new view",
                    each -> isImage(each, 5) && each.fields().equals(Set.of(ASK)));
            consumer.request(SERVICE, 5, "TMK1");
            consumer.await("whole image", each -> isImage(each, 5) && each.fields().size() > 2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"provider", "hub", "hub without cache"})
    void shouldServeABatchWithAView(final String server) {
        try (VendorConsumer consumer = consumer(server)) {
            consumer.requestBatch(SERVICE, 10, List.of("TMK1", "TMK2"), BID);
            consumer.await("images", 2, Seen::isImage);
            consumer.await("updates", 4, Seen::isUpdate);
            assertThat(consumer.seen())
                    .filteredOn(Seen::isImage)
                    .extracting(Seen::fields)
                    .containsExactly(Set.of(BID), Set.of(BID));
            assertThat(consumer.seen())
                    .filteredOn(Seen::isUpdate)
                    .allSatisfy(each -> assertThat(each.fields()).isSubsetOf(Set.of(BID)));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "provider, false",
        "provider, true",
        "hub, false",
        "hub, true",
        "hub without cache, false"
    })
    void shouldStandByAndTakeOver(final String server, final boolean isOfOneService) {
        try (VendorConsumer consumer = consumer(server);
                VendorConsumer other = consumer(server)) {
            standby(consumer, isOfOneService, true);
            consumer.request(SERVICE, 5, "TMK1");
            final Seen header = consumer.await("image", each -> isImage(each, 5));
            assertThat(header.hasContent()).isFalse();
            assertThat(header.state()).isEqualTo("OPEN/OK/NONE");
            other.request(SERVICE, 7, "TMK1");
            other.await("updates", 200, each -> isUpdate(each, 7));

            standby(consumer, isOfOneService, false);
            consumer.await("content", each -> isImage(each, 5) && each.hasContent());
            consumer.await("updates", 20, each -> isUpdate(each, 5));
            assertThat(consumer.seen())
                    .startsWith(header) // and no update before the image with content
                    .element(1)
                    .satisfies(each -> assertThat(each.isImage() && each.hasContent()).isTrue());
        }
    }

    /** An image without content is none, but nobody needed the hub: that voids no trial. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldSayThatAHubWasOnStandbyToTheEnd(final boolean caches) throws Exception {
        final int port = Rssl.freePort("127.0.0.1", "--host");
        try (RunningRoles roles = new RunningRoles()) {
            final RunningRoles.StartedRole hub =
                    roles.start(
                            new MarketHub.Factory(),
                            Map.of(
                                    "port",
                                    port,
                                    "publisherPort",
                                    -1,
                                    "providers",
                                    List.of(SERVERS.get("provider")),
                                    "cache",
                                    caches));
            try (VendorConsumer consumer = new VendorConsumer("127.0.0.1:" + port, SERVICE)) {
                consumer.standby(true);
                consumer.request(SERVICE, 5, "TMK1");
                consumer.await("image", each -> isImage(each, 5) && !each.hasContent());
                hub.context().stop();
                final RoleResult result = hub.result();
                assertThat(result.failure()).isEmpty();
                assertThat(result.warnings())
                        .contains(
                                "The hub was on standby for its consumers to the end: they got 1 image without"
                                        + " content, and nothing else was measured of it.");
                assertThat(result.metrics())
                        .containsEntry("standbyImages", 1L)
                        .containsEntry("imagesOut", 0L);
            }
        }
    }

    private static void standby(
            final VendorConsumer consumer, final boolean isOfOneService, final boolean isStandby) {
        if (isOfOneService) {
            consumer.standby(SERVICE, isStandby);
        } else {
            consumer.standby(isStandby);
        }
    }
}
