package io.tickmark.workloads.market.hub.cache;

import java.util.Arrays;
import org.agrona.collections.Int2IntHashMap;

/**
 * The positions of the fields of an image in its bytes. Immutable: an image with one more field, or
 * a longer value, gets another one from {@link ImageLayouts}. Single-threaded.
 */
final class ImageLayout {
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
