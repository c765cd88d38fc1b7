package io.tickmark.workloads.market.hub.cache;

import org.agrona.collections.Int2IntHashMap;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * Where the fields of an image stand in its bytes. Items of one kind have the same fields, so
 * layouts are shared: each is made once, as the successor of one with a field less or less room.
 * One thread.
 */
final class ImageLayout {
    /** Bytes for the length of a value before the value. */
    static final int LENGTH_BYTES = 2;

    /** Longest form of a number, price, date or time: those never outgrow their place. */
    private static final int SMALL_BYTES = 9;

    private static final int ROOM_STEP_BYTES = 16;
    private static final int NO_SLOT = -1;

    private final short[] fields;
    private final int[] offsets;
    private final int[] rooms;
    private final int bytes;
    private final Int2ObjectHashMap<ImageLayout> withField = new Int2ObjectHashMap<>();
    private final Int2ObjectHashMap<ImageLayout> withRoom = new Int2ObjectHashMap<>();
    private Int2IntHashMap slots;

    private ImageLayout(final short[] fields, final int[] rooms) {
        this.fields = fields;
        this.rooms = rooms;
        offsets = new int[fields.length];
        int at = 0;
        for (int slot = 0; slot < fields.length; slot++) {
            offsets[slot] = at;
            at += LENGTH_BYTES + rooms[slot];
        }
        bytes = at;
    }

    /** The layout without fields that all others come from. */
    static ImageLayout empty() {
        return new ImageLayout(new short[0], new int[0]);
    }

    /** This layout with room for a value of that field. */
    ImageLayout with(final int fieldId, final int length) {
        final int slot = slotOf(fieldId);
        if (slot == NO_SLOT) {
            return append(fieldId, room(length));
        }
        return length <= rooms[slot] ? this : grow(slot, room(length));
    }

    private ImageLayout append(final int fieldId, final int room) {
        final int key = fieldId << Short.SIZE | room;
        ImageLayout next = withField.get(key);
        if (next == null) {
            final short[] more = java.util.Arrays.copyOf(fields, fields.length + 1);
            final int[] moreRooms = java.util.Arrays.copyOf(rooms, rooms.length + 1);
            more[fields.length] = (short) fieldId;
            moreRooms[rooms.length] = room;
            next = new ImageLayout(more, moreRooms);
            withField.put(key, next);
        }
        return next;
    }

    private ImageLayout grow(final int slot, final int room) {
        final int key = slot << Short.SIZE | room;
        ImageLayout next = withRoom.get(key);
        if (next == null) {
            final int[] moreRooms = rooms.clone();
            moreRooms[slot] = room;
            next = new ImageLayout(fields, moreRooms);
            withRoom.put(key, next);
        }
        return next;
    }

    private static int room(final int length) {
        return length <= SMALL_BYTES
                ? SMALL_BYTES
                : (length + ROOM_STEP_BYTES - 1) / ROOM_STEP_BYTES * ROOM_STEP_BYTES;
    }

    /** Place of a field, -1 where there is none. */
    int slotOf(final int fieldId) {
        if (slots == null) {
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

    int roomOf(final int slot) {
        return rooms[slot];
    }

    int slots() {
        return fields.length;
    }

    int bytes() {
        return bytes;
    }
}
