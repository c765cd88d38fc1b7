package io.tickmark.workloads.market.data;

import com.refinitiv.eta.rdm.DomainTypes;
import io.tickmark.kernel.settings.UserError;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The items of a test, in order: from a file, or made up. */
public final class ItemList {
    /** Items of the list that comes with tickmark. */
    public static final int OWN_ITEMS = 350_000;

    private static final String ROOT = "itemList";
    private static final String ITEM = "item";

    /** As many as names fit into the memory of a usual machine. */
    private static final int MAX_ITEMS = 10_000_000;

    /** Longest name a message key can hold. */
    private static final int MAX_NAME_BYTES = 255;

    private ItemList() {}

    /**
     * The user's list, or our own where there is none.
     *
     * @param file of a list, empty for our own
     * @param count how many items are needed
     * @param countOption that requests this number
     * @return the items
     * @throws UserError if the file cannot be used, or there are not enough items
     */
    public static List<Item> of(final String file, final int count, final String countOption) {
        return file.isEmpty() ? own(count, countOption) : read(Path.of(file), count, countOption);
    }

    /**
     * Our own list: {@code TMK1} to {@code TMK350000}, market price, all open to posts and generic
     * messages.
     *
     * @param count how many of them
     * @param countOption that requests this number
     * @return the items
     * @throws UserError if there are not enough
     */
    public static List<Item> own(final int count, final String countOption) {
        if (count > OWN_ITEMS) {
            throw tooShort("tickmark's own item list", OWN_ITEMS, count, countOption);
        }
        final List<Item> items = new ArrayList<>(count);
        for (int i = 1; i <= count; i++) {
            items.add(new Item(DomainTypes.MARKET_PRICE, "TMK" + i, true, true, false));
        }
        return items;
    }

    /**
     * Reads an item list.
     *
     * @param file in the documented format
     * @param count how many items are needed, from its beginning
     * @param countOption that requests this number
     * @return that many items
     * @throws UserError with file and line, if the file is not there or not right, or is too short
     */
    public static List<Item> read(final Path file, final int count, final String countOption) {
        try (XmlFile xml = XmlFile.open(file, "item list", "--item-file")) {
            return read(xml, file.toString(), count, countOption);
        }
    }

    static List<Item> read(
            final XmlFile xml, final String name, final int count, final String countOption) {
        xml.root(ROOT);
        final List<Item> items = new ArrayList<>(Math.min(count, MAX_ITEMS));
        final Set<String> names = new HashSet<>();
        String element = xml.next();
        while (element != null && items.size() < count) {
            if (!element.equals(ITEM)) {
                throw xml.error(
                        "<%s> is not expected in <%s>; use <%s>"
                                .formatted(XmlFile.shown(element), ROOT, ITEM));
            }
            final Item item = item(xml);
            if (!names.add(item.domainType() + item.name())) {
                throw xml.error(
                        "the item \"%s\" is in the list already"
                                .formatted(XmlFile.shown(item.name())));
            }
            items.add(item);
            xml.end(ITEM);
            element = xml.next();
        }
        if (items.size() < count) {
            throw tooShort(name, items.size(), count, countOption);
        }
        return items;
    }

    private static Item item(final XmlFile xml) {
        final String name = xml.needed("name");
        final int bytes = name.getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > MAX_NAME_BYTES) {
            throw xml.error(
                    "name=\"%s\" has %d bytes; 1 to %d are possible"
                            .formatted(XmlFile.shown(name), bytes, MAX_NAME_BYTES));
        }
        return new Item(
                domain(xml), name, xml.flag("post"), xml.flag("genMsg"), xml.flag("snapshot"));
    }

    private static int domain(final XmlFile xml) {
        final String domain = xml.needed("domain");
        return switch (domain) {
            case "MarketPrice" -> DomainTypes.MARKET_PRICE;
            case "MarketByOrder" -> DomainTypes.MARKET_BY_ORDER;
            default ->
                    throw xml.error(
                            "domain=\"%s\" is not known; use MarketPrice or MarketByOrder"
                                    .formatted(XmlFile.shown(domain)));
        };
    }

    private static UserError tooShort(
            final String name, final int has, final int needed, final String countOption) {
        return UserError.usage(
                "%s has %d items and %s asks for %d; ask for fewer, or name a longer list with --item-file."
                        .formatted(name, has, countOption, needed));
    }
}
