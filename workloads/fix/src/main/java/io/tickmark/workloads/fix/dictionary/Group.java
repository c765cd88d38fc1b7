package io.tickmark.workloads.fix.dictionary;

import java.util.List;
import java.util.Map;
import org.agrona.collections.Int2IntHashMap;

/**
 * Fields that belong together: the body of a message, or the entries of a repeating group.
 * Immutable once read; any thread.
 */
public final class Group {
    private final Int2IntHashMap places = new Int2IntHashMap(0);
    private final Map<Integer, Group> groups;

    /**
     * Fields in order.
     *
     * @param tags the first begins each entry
     * @param groups those among them that count entries, with the fields of the entries
     */
    Group(final List<Integer> tags, final Map<Integer, Group> groups) {
        this.groups = Map.copyOf(groups);
        for (final int tag : tags) {
            places.put(tag, places.size() + 1);
        }
    }

    /**
     * The position of a field among these.
     *
     * @param tag its number
     * @return from 1, 0 where it is none of them
     */
    public int place(final int tag) {
        return places.get(tag);
    }

    /**
     * The group that a field counts.
     *
     * @param tag one of these fields
     * @return the group, null where it counts none
     */
    public Group group(final int tag) {
        return groups.get(tag);
    }

    /**
     * How many fields there are.
     *
     * @return the count, groups counted once
     */
    public int size() {
        return places.size();
    }
}
