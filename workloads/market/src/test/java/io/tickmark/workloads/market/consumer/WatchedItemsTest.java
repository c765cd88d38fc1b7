package io.tickmark.workloads.market.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.workloads.market.data.Item;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchedItemsTest {
    private final WatchedItems items =
            new WatchedItems(
                    List.of(
                            new Item(6, "A", true, true, false),
                            new Item(6, "B", true, true, false),
                            new Item(6, "C", true, true, false)));

    /**
     * A source that ends a moment before its consumers is not gone, and one that comes back
     * neither.
     */
    @Test
    void shouldTellASourceThatIsGoneFromOneThatWasAway() {
        items.image(0);
        items.image(1);
        items.image(2);
        items.suspect(0, 10);
        items.suspect(1, 20);
        items.suspect(2, 30);
        assertThat(items.gone(10 + WatchedItems.GONE_NS)).isZero();
        assertThat(items.gone(30 + WatchedItems.GONE_NS))
                .as("the last one ended just now")
                .isEqualTo(2);
        assertThat(items.gone(31 + WatchedItems.GONE_NS)).isEqualTo(3);

        items.recover(0);
        items.close(1, "closed by the provider");
        assertThat(items.gone(Long.MAX_VALUE)).isEqualTo(1);
        items.recover(2);
        assertThat(items.gone(Long.MAX_VALUE)).isZero();
    }
}
