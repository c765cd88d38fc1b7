package io.tickmark.workloads.market.hub.cache;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.codec.FieldEntry;
import com.refinitiv.eta.codec.FieldList;
import io.tickmark.workloads.market.hub.cache.ImageLayouts.ImageLayout;
import java.nio.ByteBuffer;

/**
 * The last value of each field of an item, in encoded form. Single-threaded; a value that fits into
 * its place is replaced without allocation.
 */
final class FieldImage implements ItemImage {
    private static final int NO_GUESS = -1;

    private ImageLayout layout;
    private byte[] bytes;
    private ByteBuffer view;

    FieldImage(final ImageLayout layout) {
        this.layout = layout;
        bytes = new byte[layout.bytes()];
        view = ByteBuffer.wrap(bytes);
    }

    /** Replaces the value of a field, or adds the field. */
    void put(final int fieldId, final Buffer value) {
        put(NO_GUESS, fieldId, value.data(), value.position(), value.length());
    }

    /** The same, with a guess where the field is; returns where it was or is from now on. */
    int put(
            final int guess,
            final int fieldId,
            final ByteBuffer from,
            final int position,
            final int length) {
        int slot = layout.isAt(guess, fieldId) ? guess : layout.slotOf(fieldId);
        if (slot < 0 || length > layout.maxBytesOf(slot)) {
            slot = slot < 0 ? layout.slots() : slot;
            move(layout.with(fieldId, length));
        }
        final int at = layout.offset(slot);
        view.putShort(at, (short) length);
        if (length > 0) {
            from.get(position, bytes, at + ImageLayout.LENGTH_BYTES, length);
        }
        return slot;
    }

    private void move(final ImageLayout to) {
        final byte[] moved = new byte[to.bytes()];
        for (int slot = 0; slot < layout.slots(); slot++) { // successors keep the order
            System.arraycopy(
                    bytes,
                    layout.offset(slot),
                    moved,
                    to.offset(slot),
                    ImageLayout.LENGTH_BYTES + layout.maxBytesOf(slot));
        }
        layout = to;
        bytes = moved;
        view = ByteBuffer.wrap(moved);
    }

    /** Encodes the fields as a field list. */
    int encode(
            final EncodeIterator iterator,
            final FieldList list,
            final FieldEntry entry,
            final Buffer value) {
        list.clear();
        list.applyHasStandardData();
        int result = list.encodeInit(iterator, null, 0);
        for (int slot = 0; slot < layout.slots() && result >= CodecReturnCodes.SUCCESS; slot++) {
            final int at = layout.offset(slot);
            final int length = view.getShort(at) & 0xffff;
            entry.clear();
            entry.fieldId(layout.fieldId(slot));
            entry.dataType(DataTypes.BUFFER);
            if (length == 0) {
                result = entry.encodeBlank(iterator);
                continue;
            }
            value.data(view, at + ImageLayout.LENGTH_BYTES, length);
            entry.encodedData(value);
            result = entry.encode(iterator);
        }
        return result < CodecReturnCodes.SUCCESS ? result : list.encodeComplete(iterator, true);
    }

    @Override
    public int maxBytes() {
        return 16 + bytes.length + 4 * layout.slots();
    }

    /** Number of fields. */
    int fields() {
        return layout.slots();
    }
}
