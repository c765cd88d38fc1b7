package io.tickmark.workloads.market.consumer;

import io.tickmark.workloads.market.data.Item;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * One connection's part of what several do together.
 *
 * @param number of the connection among those that take part, from 1; 0 for one that does not
 * @param of how many take part
 */
record Share(int number, int of) {
    /** Shares of connections of which only those take part that have an item to do it with. */
    static List<Share> among(final List<List<Item>> connections, final Predicate<Item> isMeant) {
        final int of = (int) connections.stream().filter(has(isMeant)).count();
        final List<Share> shares = new ArrayList<>();
        int number = 0;
        for (final List<Item> items : connections) {
            shares.add(new Share(has(isMeant).test(items) ? ++number : 0, of));
        }
        return shares;
    }

    private static Predicate<List<Item>> has(final Predicate<Item> isMeant) {
        return items -> items.stream().anyMatch(isMeant);
    }

    /** This connection's part; the parts of all add up to the total. */
    long part(final long total) {
        return number == 0 ? 0 : total / of + (number <= total % of ? 1 : 0);
    }
}
