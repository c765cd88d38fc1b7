package io.tickmark.workloads.market.data;

import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.codec.FieldEntry;

/**
 * A field of a message file.
 *
 * @param fieldId in the dictionary
 * @param value of the field's type
 */
record FieldValue(int fieldId, Primitive value) {
    /** Encodes the field; allocates nothing. */
    int encode(final FieldEntry entry, final EncodeIterator iterator) {
        entry.fieldId(fieldId);
        entry.dataType(value.type());
        return value.encode(entry, iterator);
    }
}
