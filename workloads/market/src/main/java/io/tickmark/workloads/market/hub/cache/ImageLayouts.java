package io.tickmark.workloads.market.hub.cache;

import java.util.Arrays;
import org.agrona.collections.Int2IntHashMap;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * The layouts of all images. Items of one kind have the same fields, so layouts are shared: fields
 * are named with {@link #begin} and {@link #add}, and {@link #layout} finds the layout that has
 * just these. Shared layouts are kept for ever and limited in number: above that an image has its
 * own layout, which is released with it. Single-threaded; finding a shared layout allocates
 * nothing.
 */
final class ImageLayouts {
    /**
     * Fields of all shared layouts together. With its part in the table of slots a field takes some
     * 40 bytes: 10 MB at most.
     */
    static final int MOST_SHARED_FIELDS = 1 << 18;

    /** Longest form of a number, price, date or time: those never outgrow their place. */
    private static final int SMALL_BYTES = 9;

    private static final int ROOM_STEP_BYTES = 16;
    private static final int FIRST_FIELDS = 64;
    private static final int FIELD_IDS = 1 << Short.SIZE;

    private final ImageLayout empty = new ImageLayout(this, new short[0], new int[0], null);
    private final Int2ObjectHashMap<ImageLayout> shared = new Int2ObjectHashMap<>();

    /** By field id: its slot plus one, 0 for fields that are not named. */
    private final int[] slots = new int[FIELD_IDS];

    private short[] fields = new short[FIRST_FIELDS];
    private int[] maxBytes = new int[FIRST_FIELDS];
    private int count;
    private int sharedFields;

    /** The layout without fields. */
    ImageLayout empty() {
        return empty;
    }

    /** Names no fields yet. */
    void begin() {
        for (int slot = 0; slot < count; slot++) {
            slots[fields[slot] & 0xffff] = 0;
        }
        count = 0;
    }

    /**
     * Names a field; one that was named before gets the larger room.
     *
     * @param fieldId of it
     * @param length of its value in bytes
     * @return its slot
     */
    int add(final int fieldId, final int length) {
        final int room = room(length);
        final int known = slots[fieldId & 0xffff] - 1;
        if (known >= 0) {
            maxBytes[known] = Math.max(maxBytes[known], room);
            return known;
        }
        if (count == fields.length) {
            fields = Arrays.copyOf(fields, 2 * count);
            maxBytes = Arrays.copyOf(maxBytes, 2 * count);
        }
        fields[count] = (short) fieldId;
        maxBytes[count] = room;
        slots[fieldId & 0xffff] = ++count;
        return count - 1;
    }

    /** Rounds up, so that values that grow a little stay in their place; a room is its own. */
    private static int room(final int length) {
        return length <= SMALL_BYTES
                ? SMALL_BYTES
                : (length + ROOM_STEP_BYTES - 1) / ROOM_STEP_BYTES * ROOM_STEP_BYTES;
    }

    /** The layout with the fields named since {@link #begin}. */
    ImageLayout layout() {
        if (count == 0) {
            return empty;
        }
        final int hash = hash();
        final ImageLayout first = shared.get(hash);
        for (ImageLayout each = first; each != null; each = each.sameHash()) {
            if (each.is(fields, maxBytes, count)) {
                return each;
            }
        }
        final ImageLayout made =
                new ImageLayout(
                        this, Arrays.copyOf(fields, count), Arrays.copyOf(maxBytes, count), first);
        if (sharedFields + count <= MOST_SHARED_FIELDS) {
            sharedFields += count;
            shared.put(hash, made);
        }
        return made;
    }

    private int hash() {
        int hash = count;
        for (int slot = 0; slot < count; slot++) {
            hash = 31 * (31 * hash + fields[slot]) + maxBytes[slot];
        }
        return hash;
    }

    /** Fields of all layouts that are kept. */
    int sharedFields() {
        return sharedFields;
    }

    /**
     * The positions of the fields of an image in its bytes. Immutable: an image with one more
     * field, or a longer value, gets another one from {@link ImageLayouts}. Single-threaded.
     */
    static final class ImageLayout {
        /** Bytes for the length of a value before the value. */
        static final int LENGTH_BYTES = 2;

        private static final int NO_SLOT = -1;

        private final ImageLayouts layouts;
        private final short[] fields;
        private final int[] offsets;
        private final int[] maxBytes;
        private final int bytes;
        private final ImageLayout sameHash;
        private Int2IntHashMap slots;

        /**
         * A layout.
         *
         * @param layouts that know its successors
         * @param fields their ids, each once
         * @param maxBytes longest value of each field
         * @param sameHash another layout that is kept under the same hash; null where there is none
         */
        ImageLayout(
                final ImageLayouts layouts,
                final short[] fields,
                final int[] maxBytes,
                final ImageLayout sameHash) {
            this.layouts = layouts;
            this.fields = fields;
            this.maxBytes = maxBytes;
            this.sameHash = sameHash;
            offsets = new int[fields.length];
            int at = 0;
            for (int slot = 0; slot < fields.length; slot++) {
                offsets[slot] = at;
                at += LENGTH_BYTES + maxBytes[slot];
            }
            bytes = at;
        }

        /** This layout with room for a value of that field; slots do not change. */
        ImageLayout with(final int fieldId, final int length) {
            layouts.begin();
            for (int slot = 0; slot < fields.length; slot++) {
                layouts.add(fields[slot], maxBytes[slot]);
            }
            layouts.add(fieldId, length);
            return layouts.layout();
        }

        /** Whether it has exactly the first {@code count} fields and sizes. */
        boolean is(final short[] otherFields, final int[] otherMaxBytes, final int count) {
            return count == fields.length
                    && Arrays.equals(fields, 0, count, otherFields, 0, count)
                    && Arrays.equals(maxBytes, 0, count, otherMaxBytes, 0, count);
        }

        /** Another layout under the same hash, null where there is none. */
        ImageLayout sameHash() {
            return sameHash;
        }

        /** Place of a field, -1 where there is none. */
        int slotOf(final int fieldId) {
            if (slots == null) { // many layouts are never searched: the caller's guess is right
                slots = new Int2IntHashMap(2 * fields.length + 1, 0.5f, NO_SLOT);
                for (int slot = 0; slot < fields.length; slot++) {
                    slots.put(fields[slot], slot);
                }
            }
            return slots.get(fieldId);
        }

        /** Whether a field has that place, which need not exist. */
        boolean isAt(final int slot, final int fieldId) {
            return slot >= 0 && slot < fields.length && fields[slot] == (short) fieldId;
        }

        int fieldId(final int slot) {
            return fields[slot];
        }

        int offset(final int slot) {
            return offsets[slot];
        }

        int maxBytesOf(final int slot) {
            return maxBytes[slot];
        }

        int slots() {
            return fields.length;
        }

        int bytes() {
            return bytes;
        }
    }
}
