package io.tickmark.workloads.market.hub.cache;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.FieldListFlags;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Merges the entries of a field list as they stand on the wire: a field id in two bytes, a length
 * in one (or three, from 254 on), the value. The hub does nothing with a value but keep it: what
 * the library's decoder sets up for reading each field is of no use here. One thread; allocates
 * nothing once every field has its place.
 */
final class FieldWalk {
    private static final int USUAL =
            FieldListFlags.HAS_STANDARD_DATA | FieldListFlags.HAS_FIELD_LIST_INFO;
    private static final int LONG_LENGTH = 0xfe;
    private static final int FIRST_GUESSES = 64;

    /** By the slot of the field before, plus one: where the next field was the last time. */
    private int[] guesses = new int[FIRST_GUESSES];

    /** Whether the list has single fields alone, without sets. */
    boolean canWalk(final Buffer list) {
        final int flags = list.data().get(list.position());
        return (flags & FieldListFlags.HAS_STANDARD_DATA) != 0 && (flags & ~USUAL) == 0;
    }

    /** Whether {@link #merge} would take the whole list. */
    boolean fits(final Buffer list) {
        return walk(null, list);
    }

    /** Puts all fields into the image; false where the list does not end where it should. */
    boolean merge(final FieldImage image, final Buffer list) {
        return walk(image, list);
    }

    private boolean walk(final FieldImage image, final Buffer list) {
        final ByteBuffer from = list.data();
        final int end = list.position() + list.length();
        int at = list.position() + 1;
        if ((from.get(list.position()) & FieldListFlags.HAS_FIELD_LIST_INFO) != 0) {
            at += 1 + (from.get(at) & 0xff);
        }
        int left = from.getShort(at) & 0xffff;
        at += Short.BYTES;
        int before = 0;
        for (; left > 0; left--) {
            final int fieldId = from.getShort(at);
            int length = from.get(at + Short.BYTES) & 0xff;
            at += Short.BYTES + 1;
            if (length >= LONG_LENGTH) {
                length = from.getShort(at) & 0xffff;
                at += Short.BYTES;
            }
            if (at + length > end) {
                return false;
            }
            if (image != null) {
                final int slot = image.put(guesses[before], fieldId, from, at, length);
                guesses[before] = slot;
                before = slot + 1;
                if (before >= guesses.length) { // the first field of a list may be any slot's
                    guesses = Arrays.copyOf(guesses, 2 * before);
                }
            }
            at += length;
        }
        return true;
    }
}
