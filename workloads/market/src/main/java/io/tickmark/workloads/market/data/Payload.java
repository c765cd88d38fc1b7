package io.tickmark.workloads.market.data;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.codec.FieldEntry;
import com.refinitiv.eta.codec.LocalFieldSetDefDb;
import com.refinitiv.eta.codec.State;
import java.util.List;

/** The content of a message of a message file. */
sealed interface Payload {
    /** The fields that measure the message: at most three, with ids, lengths and eight bytes. */
    int MEASURING_BYTES = 4 * 16;

    /** An upper bound of the encoded length, the fields that measure the message included. */
    int maxBytes();

    /** A list of fields: the market price of an item. */
    record FieldPayload(FieldValue[] fields) implements Payload {
        @Override
        public int maxBytes() {
            return MEASURING_BYTES + bytes(fields);
        }
    }

    /**
     * An order book: fields by key.
     *
     * @param sets field sets that entries refer to, null where there are none
     * @param keyType primitive type of the keys
     * @param rows its entries
     */
    record Book(LocalFieldSetDefDb sets, int keyType, List<Row> rows) implements Payload {
        @Override
        public int maxBytes() {
            int bytes = 2 * MEASURING_BYTES;
            if (sets != null) {
                for (int i = 0; i <= sets.maxSetId(); i++) {
                    bytes += 8 + 3 * sets.definitions()[i].count();
                }
            }
            for (final Row row : rows) {
                bytes += 16 + valueBytes(row.key()) + bytes(row.fields());
            }
            return bytes;
        }
    }

    /**
     * An entry of a book.
     *
     * @param action to add, update or delete the entry
     * @param key of the entry
     * @param setId of the field set, -1 where the fields carry their ids themselves
     * @param fields in the order of the set
     */
    record Row(int action, Primitive key, int setId, FieldValue[] fields) {}

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

    private static int bytes(final FieldValue[] fields) {
        int bytes = 8;
        for (final FieldValue field : fields) {
            bytes += 5 + valueBytes(field.value());
        }
        return bytes;
    }

    private static int valueBytes(final Primitive value) {
        return switch (value.value()) {
            case final Buffer buffer -> buffer.length();
            case final State state -> 8 + state.text().length();
            case null, default -> 16;
        };
    }
}
