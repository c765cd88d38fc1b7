package io.tickmark.workloads.market.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.FieldList;
import com.refinitiv.ema.access.OmmReal;
import io.tickmark.kernel.role.RoleResult;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Non-interactive providers of the Message API publish through the hub to its consumers. */
@org.junit.jupiter.api.Timeout(300)
class HubPublishersTest {
    private static final String SERVICE = EmaPublisher.SERVICE;

    /** Waits until the hub has so many items. */
    static void awaitItems(final HubRunner hub, final long items) {
        final long begin = System.nanoTime();
        while (hub.count("items") < items) {
            assertThat(System.nanoTime() - begin).isLessThan(90_000_000_000L);
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void shouldServeImagesAndUpdatesOfAPublisher() {
        try (HubRunner hub = new HubRunner(Map.of());
                EmaPublisher publisher = new EmaPublisher(hub.publishers())) {
            publisher.image("A", 1, 100, 200);
            awaitItems(hub, 1);
            try (EmaConsumer consumer = new EmaConsumer(hub.consumers())) {
                consumer.open(SERVICE, "A");
                final Heard.Event image =
                        consumer.heard().await("the image", e -> e.is("refresh", "A"));
                publisher.update("A", 1, 101, 0);
                final Heard.Event update =
                        consumer.heard().await("the update", e -> e.is("update", "A"));

                assertThat(image.state()).startsWith("Open/Ok/");
                assertThat(image.fields()).containsEntry(22, "1.00").containsEntry(25, "2.00");
                assertThat(update.fields()).isEqualTo(Map.of(22, "1.01"));
            }
        }
    }

    @Test
    void shouldMergeUpdatesIntoTheImageThatLaterConsumersGet() {
        try (HubRunner hub = new HubRunner(Map.of());
                EmaPublisher publisher = new EmaPublisher(hub.publishers());
                EmaConsumer first = new EmaConsumer(hub.consumers())) {
            publisher.image("A", 1, 100, 200);
            awaitItems(hub, 1);
            first.open(SERVICE, "A").heard().await("the image", e -> e.is("refresh", "A"));
            publisher.update("A", 1, 150, 0);
            first.heard().await("the update", e -> e.is("update", "A"));

            try (EmaConsumer second = new EmaConsumer(hub.consumers())) {
                second.open(SERVICE, "A").open(SERVICE, "A", false);
                assertThat(second.heard().await("the image", e -> e.is("refresh", "A")).fields())
                        .isEqualTo(Map.of(22, "1.50", 25, "2.00"));
                second.heard().await("the snapshot", e -> e.state().startsWith("NonStreaming/Ok"));
            }
        }
    }

    /** As real feeds have them; an update may begin with any field of them. */
    @Test
    void shouldMergeUpdatesIntoImagesOfHundredsOfFields() {
        final int others = 300;
        final int bid = 22;
        try (HubRunner hub = new HubRunner(Map.of());
                EmaPublisher publisher = new EmaPublisher(hub.publishers());
                EmaConsumer first = new EmaConsumer(hub.consumers())) {
            final FieldList image = EmaFactory.createFieldList();
            for (int field = 0; field < others; field++) {
                image.add(EmaFactory.createFieldEntry().uintValue(20_000 + field, field));
            }
            for (final int price : new int[] {bid, bid + 3}) {
                image.add(
                        EmaFactory.createFieldEntry()
                                .real(price, 100, OmmReal.MagnitudeType.EXPONENT_NEG_2));
            }
            publisher.image("A", 1, image);
            awaitItems(hub, 1);
            first.open(SERVICE, "A").heard().await("the image", e -> e.is("refresh", "A"));
            publisher.update("A", 1, 150, 250);
            first.heard().await("the update", e -> e.is("update", "A"));

            try (EmaConsumer second = new EmaConsumer(hub.consumers())) {
                assertThat(
                                second.open(SERVICE, "A")
                                        .heard()
                                        .await("an answer", e -> e.item().equals("A"))
                                        .fields())
                        .hasSize(others + 2)
                        .containsEntry(bid, "1.50")
                        .containsEntry(bid + 3, "2.50");
            }
            final RoleResult result = hub.stop();
            assertThat(result.failure()).isEmpty();
            assertThat(result.metrics()).containsEntry("items", 1L);
        }
    }

    @Test
    void shouldCloseTheStreamOfAnItemThatIsNotCached() {
        try (HubRunner hub = new HubRunner(Map.of());
                EmaPublisher publisher = new EmaPublisher(hub.publishers());
                EmaConsumer consumer = new EmaConsumer(hub.consumers())) {
            publisher.image("A", 1, 100, 200);
            awaitItems(hub, 1);
            consumer.open(SERVICE, "B");

            assertThat(consumer.heard().await("the status", e -> e.is("status", "B")).state())
                    .isEqualTo("CLOSED/Suspect/NotFound");
        }
    }

    @Test
    void shouldSendASuspectPlaceholderWhereConfigured() {
        try (HubRunner hub = new HubRunner(Map.of("placeholders", true));
                EmaPublisher publisher = new EmaPublisher(hub.publishers());
                EmaConsumer consumer = new EmaConsumer(hub.consumers())) {
            publisher.image("A", 1, 100, 200);
            awaitItems(hub, 1);
            consumer.open(SERVICE, "B");
            final Heard.Event placeholder =
                    consumer.heard().await("the placeholder", e -> e.is("refresh", "B"));
            publisher.image("B", 2, 300, 400);
            final Heard.Event image =
                    consumer.heard()
                            .await(
                                    "the image",
                                    e -> e.is("refresh", "B") && e.state().startsWith("Open/Ok"));

            assertThat(placeholder.state()).startsWith("Open/Suspect/");
            assertThat(placeholder.fields()).isEmpty();
            assertThat(image.fields()).containsEntry(22, "3.00");
        }
    }

    @Test
    void shouldMarkItemsSuspectWhenTheirPublisherGoesAndRecoverThemWhenItComesBack() {
        try (HubRunner hub = new HubRunner(Map.of())) {
            EmaPublisher publisher = new EmaPublisher(hub.publishers());
            publisher.image("A", 1, 100, 200);
            awaitItems(hub, 1);
            try (EmaConsumer consumer = new EmaConsumer(hub.consumers())) {
                consumer.open(SERVICE, "A").heard().await("image", e -> e.is("refresh", "A"));
                publisher.close();
                consumer.heard().await("suspect", e -> e.state().startsWith("Open/Suspect"));
                publisher = new EmaPublisher(hub.publishers());
                publisher.image("A", 1, 111, 222);
                final Heard.Event recovered =
                        consumer.heard()
                                .await(
                                        "the recovered item",
                                        e ->
                                                e.is("refresh", "A")
                                                        && "1.11".equals(e.fields().get(22)));
                assertThat(recovered.state()).startsWith("Open/Ok");
            } finally {
                publisher.close();
            }
        }
    }
}
