package io.tickmark.workloads.market.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.workloads.market.data.Item;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShareTest {
    private static Item item(final boolean posts) {
        return new Item(6, "ITEM", posts, false, false);
    }

    @Test
    void shouldDivideAmongThoseThatHaveSomethingToDoItWith() {
        final List<ConsumerConnection.Share> shares =
                ConsumerConnection.Share.among(
                        List.of(
                                List.of(item(false), item(true)),
                                List.of(item(false)),
                                List.of(item(true))),
                        Item::posts);

        assertThat(shares).extracting(share -> share.part(1001)).containsExactly(501L, 0L, 500L);
    }

    @Test
    void shouldHaveNoPartWhereNoConnectionHas() {
        assertThat(
                        ConsumerConnection.Share.among(List.of(List.of(item(false))), Item::posts)
                                .getFirst()
                                .part(10))
                .isZero();
    }
}
