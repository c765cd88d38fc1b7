package io.tickmark.workloads.market.hub.cache;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.DecodeIterator;
import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.codec.LocalFieldSetDefDb;
import com.refinitiv.eta.codec.Map;
import com.refinitiv.eta.codec.MapEntry;
import com.refinitiv.eta.codec.MapEntryActions;
import java.nio.ByteBuffer;

/**
 * Reads, merges and writes maps of field lists. Single-threaded; an entry that is new allocates.
 */
final class BookCodec {
    private final ImageCodec fields;
    private final Map map = CodecFactory.createMap();
    private final MapEntry entry = CodecFactory.createMapEntry();
    private final Buffer key = CodecFactory.createBuffer();
    private final LocalFieldSetDefDb sets = CodecFactory.createLocalFieldSetDefDb();
    private int code;

    BookCodec(final ImageCodec fields) {
        this.fields = fields;
    }

    /** The book at the iterator; null where it holds no field lists. */
    BookImage image(final DecodeIterator iterator) {
        if (!decode(iterator)) {
            return null;
        }
        final BookImage book = new BookImage(map.keyPrimitiveType(), fields.emptyImage());
        return rows(book, iterator) ? book : null;
    }

    boolean merge(final BookImage book, final DecodeIterator iterator) {
        if (!decode(iterator)) {
            return fields.fail("its map", code);
        }
        return map.keyPrimitiveType() == book.keyType()
                ? rows(book, iterator)
                : fields.fail("its keys", CodecReturnCodes.INVALID_DATA);
    }

    private boolean decode(final DecodeIterator iterator) {
        sets.clear();
        map.clear();
        code = map.decode(iterator);
        if (code < CodecReturnCodes.SUCCESS) {
            return fields.fail("its map", code);
        }
        if (map.containerType() != DataTypes.FIELD_LIST) {
            code = CodecReturnCodes.UNSUPPORTED_DATA_TYPE;
            return false;
        }
        if (map.checkHasSetDefs()) {
            code = sets.decode(iterator);
            return code >= CodecReturnCodes.SUCCESS || fields.fail("the sets of its map", code);
        }
        return true;
    }

    private boolean rows(final BookImage book, final DecodeIterator iterator) {
        if (map.checkHasSummaryData() && !fields.mergeList(book.summary(), iterator, sets)) {
            return false;
        }
        entry.clear();
        for (int result = entry.decode(iterator, null);
                result != CodecReturnCodes.END_OF_CONTAINER;
                result = entry.decode(iterator, null)) {
            if (result < CodecReturnCodes.SUCCESS) {
                return fields.fail("an entry of its map", result);
            }
            if (!row(book, iterator)) {
                return false;
            }
        }
        return true;
    }

    private boolean row(final BookImage book, final DecodeIterator iterator) {
        final ByteBuffer id = ByteBuffer.allocate(entry.encodedKey().length());
        if (entry.encodedKey().length() > 0) {
            entry.encodedKey()
                    .data()
                    .get(entry.encodedKey().position(), id.array(), 0, id.capacity());
        }
        if (entry.action() == MapEntryActions.DELETE) {
            book.rows().remove(id);
            return true;
        }
        if (entry.action() == MapEntryActions.ADD) {
            book.rows().put(id, fields.emptyImage());
        }
        return fields.mergeList(
                book.rows().computeIfAbsent(id, any -> fields.emptyImage()), iterator, sets);
    }

    int encode(final BookImage book, final EncodeIterator to) {
        map.clear();
        map.containerType(DataTypes.FIELD_LIST);
        map.keyPrimitiveType(book.keyType());
        if (book.summary().fields() > 0) {
            map.applyHasSummaryData();
        }
        int result = map.encodeInit(to, 0, 0);
        if (result >= CodecReturnCodes.SUCCESS && book.summary().fields() > 0) {
            result = fields.encodeFields(book.summary(), to);
            if (result >= CodecReturnCodes.SUCCESS) {
                result = map.encodeSummaryDataComplete(to, true);
            }
        }
        for (final java.util.Map.Entry<ByteBuffer, FieldImage> row : book.rows().entrySet()) {
            if (result >= CodecReturnCodes.SUCCESS) {
                result = encodeRow(row.getKey(), row.getValue(), to);
            }
        }
        return result < CodecReturnCodes.SUCCESS ? result : map.encodeComplete(to, true);
    }

    private int encodeRow(final ByteBuffer id, final FieldImage row, final EncodeIterator to) {
        entry.clear();
        entry.action(MapEntryActions.ADD);
        key.data(id.duplicate(), 0, id.capacity()); // the map's key must keep its position
        entry.encodedKey(key);
        int result = entry.encodeInit(to, 0);
        if (result >= CodecReturnCodes.SUCCESS) {
            result = fields.encodeFields(row, to);
        }
        return result < CodecReturnCodes.SUCCESS ? result : entry.encodeComplete(to, true);
    }
}
