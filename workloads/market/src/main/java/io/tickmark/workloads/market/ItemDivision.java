package io.tickmark.workloads.market;

import io.tickmark.kernel.settings.UserError;
import java.util.ArrayList;
import java.util.List;

/** Divides items among connections: the common ones go to all, each of the others to one. */
public final class ItemDivision {
    private ItemDivision() {}

    /**
     * Refuses what would leave a connection without items.
     *
     * @param items how many there are
     * @param parts how many connections there are
     * @param common how many items go to all of them
     * @throws UserError that names the options
     */
    public static void require(final int items, final int parts, final int common) {
        if (common > items) {
            throw UserError.usage(
                    "--common-item-count is %d, more than the %d of --item-count."
                            .formatted(common, items));
        }
        if (common == 0 && parts > items) {
            throw UserError.usage(
                    "--threads names %d threads, but --item-count is %d; name at most one for each item."
                            .formatted(parts, items));
        }
    }

    /**
     * The first {@code common} of the items go to every part; the rest is dealt evenly in order.
     *
     * @param <T> an item
     * @param items to divide
     * @param parts how many connections there are
     * @param common how many items go to all of them
     * @return one list for each connection
     */
    public static <T> List<List<T>> of(final List<T> items, final int parts, final int common) {
        final int first = parts == 1 ? 0 : common;
        final int rest = items.size() - first;
        final List<List<T>> divided = new ArrayList<>();
        int from = first;
        for (int part = 0; part < parts; part++) {
            final int count = rest / parts + (part < rest % parts ? 1 : 0);
            final List<T> own = new ArrayList<>(items.subList(0, first));
            own.addAll(items.subList(from, from + count));
            divided.add(List.copyOf(own));
            from += count;
        }
        return divided;
    }
}
