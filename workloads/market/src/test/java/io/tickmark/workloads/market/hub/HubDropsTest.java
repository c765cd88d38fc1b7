package io.tickmark.workloads.market.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.rdm.DomainTypes;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.workloads.market.VendorConsumer;
import io.tickmark.workloads.market.VendorConsumer.Seen;
import io.tickmark.workloads.market.data.ImageHeader;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Everything that the hub drops is counted, and the counts are in its result. */
@Timeout(300)
class HubDropsTest {
    /** Standard data, one field that is said to be longer than the message. */
    private static final byte[] TOO_LONG = {8, 0, 1, 0, 22, 100, 1, 2};

    /** Standard data, the field 22 without a value. */
    private static final byte[] BLANK = {8, 0, 1, 0, 22, 0};

    private static final byte[] OPAQUE = {1, 2, 3};

    static void awaitCount(final HubRunner hub, final String name, final long wanted) {
        final long begin = System.nanoTime();
        while (hub.count(name) < wanted) {
            assertThat(System.nanoTime() - begin)
                    .as("%s: %d of %d", name, hub.count(name), wanted)
                    .isLessThan(60_000_000_000L);
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldCountWhateverItDropsAndNotPassWhereItLosesImages() throws IOException {
        try (HubRunner hub = new HubRunner(Map.of());
                RawPublisher publisher = new RawPublisher(hub.publishers());
                EmaConsumer consumer = new EmaConsumer(hub.consumers())) {
            publisher.image(-5, "GOOD", DataTypes.FIELD_LIST, BLANK);
            publisher.image(-6, "BROKEN", DataTypes.FIELD_LIST, TOO_LONG);
            publisher.image(-7, "OPAQUE", DataTypes.OPAQUE, OPAQUE);
            publisher.image(-8, "SPOILT", DataTypes.FIELD_LIST, BLANK);
            awaitCount(hub, "imagesIn", 4);
            consumer.open(RawPublisher.SERVICE, "GOOD");
            consumer.heard().await("the image", e -> e.is("refresh", "GOOD"));
            publisher.update(-8, DataTypes.MAP, OPAQUE, true);
            publisher.update(-99, DataTypes.FIELD_LIST, BLANK, true); // of no item
            awaitCount(hub, "imagesDropped", 1);
            awaitCount(hub, "messagesIgnored", 1);
            for (final String item : List.of("BROKEN", "OPAQUE", "SPOILT", "NONE")) {
                consumer.open(RawPublisher.SERVICE, item);
                consumer.heard().await("the end of " + item, e -> e.is("status", item));
            }
            consumer.post(
                    "GOOD",
                    EmaFactory.createPostMsg()
                            .postId(1)
                            .complete(true)
                            .payload(EmaFactory.createStatusMsg()));
            awaitCount(hub, "postsRefused", 1);
            final String address = hub.consumers();
            try (Socket socket =
                    new Socket(
                            "127.0.0.1",
                            Integer.parseInt(address.substring(address.indexOf(':') + 1)))) {
                socket.getOutputStream().write("\0\20\1\2\3".getBytes(StandardCharsets.ISO_8859_1));
            }

            final RoleResult result = hub.stop();
            assertThat(result.metrics())
                    .containsEntry("imagesUnreadable", 1L)
                    .containsEntry("imagesNotCached", 1L)
                    .containsEntry("imagesDropped", 1L)
                    .containsEntry("messagesIgnored", 1L)
                    .containsEntry("requestsRefused", 4L)
                    .containsEntry("postsRefused", 1L);
            assertThat(result.failure())
                    .contains("1 image of providers could not be read", "BROKEN of RAW_FEED: ")
                    .contains("1 image was dropped from the cache", "SPOILT of RAW_FEED: ");
            assertThat(String.join("\n", result.warnings()))
                    .contains("1 image was passed on without being cached", "OPAQUE of RAW_FEED")
                    .contains("1 message was ignored", "on stream -99")
                    .contains("4 requests of consumers were refused", "BROKEN of RAW_FEED")
                    .contains("1 post of consumers was refused");
        }
    }

    /** It had become the image of the item that the stream is open for. */
    @Test
    void shouldCountImagesOfOtherItemsOnTheStreamOfAnItem() {
        try (HubRunner hub = new HubRunner(Map.of());
                RawPublisher publisher = new RawPublisher(hub.publishers());
                EmaConsumer consumer = new EmaConsumer(hub.consumers())) {
            publisher.image(-5, "A");
            publisher.image(-5, "B", DataTypes.FIELD_LIST, BLANK);
            publisher.image(-5, DomainTypes.MARKET_BY_ORDER, "A", DataTypes.FIELD_LIST, BLANK);
            awaitCount(hub, "messagesIgnored", 2);
            consumer.open(RawPublisher.SERVICE, "A");
            assertThat(consumer.heard().await("the image", e -> e.is("refresh", "A")).fields())
                    .hasSizeGreaterThan(1);

            final RoleResult result = hub.stop();
            assertThat(result.metrics())
                    .containsEntry("imagesIn", 1L)
                    .containsEntry("messagesIgnored", 2L);
            assertThat(String.join("\n", result.warnings()))
                    .contains("2 messages were ignored", "is open for A of RAW_FEED in domain");
        }
    }

    /** They had changed the image of the item that the stream is open for. */
    @Test
    void shouldCountUpdatesOfOtherItemsOnTheStreamOfAnItem() {
        try (HubRunner hub = new HubRunner(Map.of());
                RawPublisher publisher = new RawPublisher(hub.publishers())) {
            publisher.image(-5, "A");
            publisher.updateOf(-5, ImageHeader.nameOf("B"), BLANK);
            publisher.updateOf(-5, ImageHeader.nameOf("A"), BLANK);
            awaitCount(hub, "updatesIn", 1);

            final RoleResult result = hub.stop();
            assertThat(result.metrics())
                    .containsEntry("updatesIn", 1L)
                    .containsEntry("messagesIgnored", 1L);
        }
    }

    /** Its bytes are not those of the item, which is known by what they read as. */
    @Test
    void shouldKnowAnItemByANameThatIsNotUtf8() {
        final Buffer latin = RawPublisher.bufferOf("ZÜRICH".getBytes(StandardCharsets.ISO_8859_1));
        try (HubRunner hub = new HubRunner(Map.of());
                RawPublisher publisher = new RawPublisher(hub.publishers())) {
            for (int image = 0; image < 2; image++) {
                publisher.image(-5, DomainTypes.MARKET_PRICE, latin, DataTypes.FIELD_LIST, BLANK);
            }
            publisher.updateOf(-5, latin, BLANK);
            awaitCount(hub, "updatesIn", 1);
            try (VendorConsumer consumer =
                    new VendorConsumer(hub.consumers(), RawPublisher.SERVICE)) {
                for (int count = 1; count <= 2; count++) {
                    consumer.request(RawPublisher.SERVICE, 5, latin);
                    consumer.await("the image", count, Seen::isImage);
                }
            }

            final RoleResult result = hub.stop();
            assertThat(result.metrics()).containsEntry("imagesIn", 2L);
            assertThat(result.warnings()).isEmpty();
        }
    }

    @Test
    void shouldCountWhatAnOpenStreamCannotTake() {
        try (HubRunner hub = new HubRunner(Map.of());
                RawPublisher publisher = new RawPublisher(hub.publishers())) {
            publisher.image(-5, "A");
            publisher.image(-6, "B");
            HubPublishersTest.awaitItems(hub, 2);
            try (VendorConsumer consumer =
                    new VendorConsumer(hub.consumers(), RawPublisher.SERVICE)) {
                consumer.request(RawPublisher.SERVICE, 5, "A");
                consumer.await("the image", Seen::isImage);
                consumer.requestBatch(RawPublisher.SERVICE, 5, List.of("B"));
                consumer.request(RawPublisher.SERVICE, 5, "B");
                consumer.await("two refusals", 2, Seen::isStatus);
            }

            final RoleResult result = hub.stop();
            assertThat(result.metrics()).containsEntry("requestsRefused", 2L);
            assertThat(String.join("\n", result.warnings()))
                    .contains("2 requests of consumers were refused")
                    .contains("stream 5 is open for A of RAW_FEED: a batch needs a stream");
        }
    }

    /** Its fields are not looked at, whatever language the consumer speaks. */
    @Test
    void shouldCountAVectorThatGoesOutWholeToConsumersWithAView() throws Exception {
        try (HubRunner hub = new HubRunner(Map.of("websocketPort", 0));
                EmaPublisher publisher = new EmaPublisher(hub.publishers());
                EmaConsumer consumer = new EmaConsumer(hub.consumers());
                JsonConsumer json = new JsonConsumer(hub)) {
            publisher.image("A", 1, 100, 200).image("B", 2, 100, 200);
            HubPublishersTest.awaitItems(hub, 2);
            consumer.open(EmaPublisher.SERVICE, "B");
            consumer.heard().await("an image of all fields", e -> e.is("refresh", "B"));
            consumer.openBatch(EmaPublisher.SERVICE, List.of("A"), 22);
            assertThat(consumer.heard().await("the image", e -> e.is("refresh", "batch")).fields())
                    .containsOnlyKeys(22);
            json.openView(EmaPublisher.SERVICE, "A", 22);
            assertThat(json.heard()).doesNotContain("\"ASK\":");
            assertThat(hub.count("viewsNotKept")).isZero();

            publisher.updateVector("A", 1, EmaPublisher.prices(300, 400));
            consumer.heard().await("the vector", e -> e.is("update", "batch"));
            json.await("\"ASK\":4");
            json.abort();

            final RoleResult result = hub.stop();
            assertThat(result.failure()).isEmpty();
            assertThat(result.metrics()).containsEntry("viewsNotKept", 2L);
            assertThat(result.warnings())
                    .anySatisfy(warning ->
                            assertThat(warning)
                                    .contains("2 messages went out whole to consumers with a view")
                                    .contains("; the first: one of A of " + EmaPublisher.SERVICE));
        }
    }

    @Test
    void shouldNotPassWhereNoConsumerWasServed() {
        try (HubRunner hub = new HubRunner(Map.of())) {
            assertThat(hub.stop().failure())
                    .isEqualTo("The hub served nothing: no consumer connected.");
        }
        try (HubRunner hub = new HubRunner(Map.of());
                RawPublisher publisher = new RawPublisher(hub.publishers())) {
            publisher.image(-5, "A");
            HubPublishersTest.awaitItems(hub, 1);
            try (EmaConsumer consumer = new EmaConsumer(hub.consumers())) {
                consumer.open(RawPublisher.SERVICE, "B");
                consumer.heard().await("its end", e -> e.is("status", "B"));
            }
            final RoleResult result = hub.stop();
            assertThat(result.failure())
                    .contains(
                            "The hub served nothing: consumers connected",
                            "compare services and items");
            assertThat(result.warnings())
                    .singleElement()
                    .asString()
                    .contains("1 request of consumers was refused", "B of RAW_FEED");
        }
    }

    @Test
    void shouldNotPassWhereConsumersGotPlaceholdersOnly() {
        try (HubRunner hub = new HubRunner(Map.of("placeholders", true));
                RawPublisher publisher = new RawPublisher(hub.publishers())) {
            publisher.image(-5, "A");
            HubPublishersTest.awaitItems(hub, 1);
            try (EmaConsumer consumer = new EmaConsumer(hub.consumers())) {
                consumer.open(RawPublisher.SERVICE, "B");
                consumer.heard().await("the placeholder", e -> e.is("refresh", "B"));
            }
            final RoleResult result = hub.stop();
            assertThat(result.failure())
                    .contains(
                            "The hub served nothing: consumers connected",
                            "only 1 placeholder for items that it did not hold");
            assertThat(result.metrics())
                    .containsEntry("imagesOut", 0L)
                    .containsEntry("placeholders", 1L);
        }
    }
}
