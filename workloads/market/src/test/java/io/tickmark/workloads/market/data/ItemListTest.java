package io.tickmark.workloads.market.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.refinitiv.eta.rdm.DomainTypes;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ItemListTest {
    private static final String LIST =
            """
            <itemList>
               <item domain="MarketPrice" name="RDT1" post="true" genMsg="true" />
               <item domain="MarketPrice" name="RDT2" post="true" />
               <item domain="MarketByOrder" name="RDT2" snapshot="true" />
               <item domain="MarketPrice" name="RDT3" />
            </itemList>
            """;

    @TempDir Path folder;

    private List<Item> read(final String text, final int count) throws IOException {
        return ItemList.read(
                Files.writeString(folder.resolve("items.xml"), text), count, "--item-count");
    }

    @Test
    void shouldReadTheGuidesFormat() throws IOException {
        assertThat(read(LIST, 4))
                .containsExactly(
                        new Item(DomainTypes.MARKET_PRICE, "RDT1", true, true, false),
                        new Item(DomainTypes.MARKET_PRICE, "RDT2", true, false, false),
                        new Item(DomainTypes.MARKET_BY_ORDER, "RDT2", false, false, true),
                        new Item(DomainTypes.MARKET_PRICE, "RDT3", false, false, false));
    }

    @Test
    void shouldTakeTheFirstItemsOfALongerList() throws IOException {
        assertThat(read(LIST, 1)).hasSize(1);
    }

    @Test
    void shouldRefuseAListThatIsTooShort() {
        assertThatThrownBy(() -> read(LIST, 5))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("items.xml has 4 items and --item-count asks for 5");
        assertThatThrownBy(() -> ItemList.own(350_001, "--own-items"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("has 350000 items and --own-items asks for 350001");
    }

    @Test
    void shouldNameTheLineOfAWrongItem() {
        assertThatThrownBy(() -> read(LIST.replace("\"RDT3\"", "\"\""), 4))
                .hasMessageContaining("items.xml line 5: name=\"\" has 0 bytes");
        assertThatThrownBy(() -> read(LIST.replace("\"RDT3\"", "\"RDT1\""), 4))
                .hasMessageContaining("line 5: the item \"RDT1\" is in the list already");
        assertThatThrownBy(() -> read(LIST.replace("MarketByOrder", "Prices"), 4))
                .hasMessageContaining("line 4: domain=\"Prices\" is not known");
        assertThatThrownBy(() -> read(LIST.replace("post=\"true\" genMsg", "post=\"x\" genMsg"), 4))
                .hasMessageContaining("line 2: post=\"x\" is neither true nor false");
        assertThatThrownBy(() -> read(LIST.replace("<item d", "<thing d"), 4))
                .hasMessageContaining("line 2: <thing> is not expected in <itemList>");
    }

    @Test
    void shouldMakeUpAListOf350000Items() {
        final List<Item> items = ItemList.own(ItemList.OWN_ITEMS, "--item-count");

        assertThat(items).hasSize(350_000);
        assertThat(Set.copyOf(items)).as("no duplicates").hasSameSizeAs(items);
        assertThat(items.getFirst().name()).isEqualTo("TMK1");
        assertThat(items.getLast().name()).isEqualTo("TMK350000");
    }
}
