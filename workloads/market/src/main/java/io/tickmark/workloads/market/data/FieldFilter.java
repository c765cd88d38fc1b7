package io.tickmark.workloads.market.data;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.Codec;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.DecodeIterator;
import com.refinitiv.eta.codec.ElementEntry;
import com.refinitiv.eta.codec.ElementList;
import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.codec.FieldEntry;
import com.refinitiv.eta.codec.FieldList;
import com.refinitiv.eta.codec.LocalFieldSetDefDb;
import com.refinitiv.eta.codec.Map;
import com.refinitiv.eta.codec.MapEntry;
import com.refinitiv.eta.codec.MapEntryActions;
import com.refinitiv.eta.codec.MapFlags;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.Real;
import java.nio.ByteBuffer;

/**
 * Leaves fields out of messages: of field lists and of maps of them; other content stays as it is.
 * Single-threaded.
 */
public abstract class FieldFilter {
    private final Msg message = CodecFactory.createMsg();
    private final DecodeIterator from = CodecFactory.createDecodeIterator();
    private final EncodeIterator to = CodecFactory.createEncodeIterator();
    private final FieldList list = CodecFactory.createFieldList();
    private final FieldEntry entry = CodecFactory.createFieldEntry();
    private final FieldList listOut = CodecFactory.createFieldList();
    private final FieldEntry entryOut = CodecFactory.createFieldEntry();
    private final Map map = CodecFactory.createMap();
    private final Map mapOut = CodecFactory.createMap();
    private final MapEntry row = CodecFactory.createMapEntry();
    private final MapEntry rowOut = CodecFactory.createMapEntry();
    private final LocalFieldSetDefDb sets = CodecFactory.createLocalFieldSetDefDb();
    private final Real real = CodecFactory.createReal();
    private final ElementList elements = CodecFactory.createElementList();
    private final ElementEntry element = CodecFactory.createElementEntry();
    private final Buffer out = CodecFactory.createBuffer();
    private ByteBuffer bytes = ByteBuffer.allocate(1 << 13);
    private long skipped;
    private int firstSkipped;
    private boolean hasFailed;
    private boolean hasUnseen;

    /** For subclasses. */
    protected FieldFilter() {}

    /**
     * Whether a field is kept.
     *
     * @param fieldId of it
     * @param value as it is encoded
     * @return false where it is to be left out
     */
    protected abstract boolean keeps(int fieldId, Buffer value);

    /**
     * Removes fields from a message.
     *
     * @param encoded the message
     * @return the message itself where nothing is left out or where it cannot be divided; else what
     *     remains of it, valid until the next call
     */
    protected final Buffer filter(final Buffer encoded) {
        skipped = 0;
        hasUnseen = false;
        int result;
        try {
            result = rewrite(encoded);
        } catch (final RuntimeException e) { // how the codec reports that lengths do not match
            result = CodecReturnCodes.FAILURE;
        }
        hasFailed = result < CodecReturnCodes.SUCCESS;
        return skipped == 0 || hasFailed ? encoded : out;
    }

    /**
     * Fields removed from the last message, whether or not the whole of it could be divided.
     *
     * @return the count
     */
    protected final long skipped() {
        return skipped;
    }

    /**
     * The first of them.
     *
     * @return its id
     */
    protected final int firstSkipped() {
        return firstSkipped;
    }

    /**
     * Whether the last message has fields that could not be separated.
     *
     * @return true where it stayed whole for that reason
     */
    protected final boolean hasFailed() {
        return hasFailed;
    }

    /**
     * Whether the last message has content that may hold fields but is neither a field list nor a
     * map of them: it was not looked into and stayed as it was.
     *
     * @return true where fields may be among it
     */
    protected final boolean hasUnseen() {
        return hasUnseen;
    }

    /**
     * Whether something of a type may be a list of fields, or hold one further inside.
     *
     * @param type of the codec, also a primitive one
     * @return false where it has no fields for certain
     */
    protected static boolean mayHoldFields(final int type) {
        return switch (type) {
            case DataTypes.FIELD_LIST,
                    DataTypes.ELEMENT_LIST,
                    DataTypes.FILTER_LIST,
                    DataTypes.VECTOR,
                    DataTypes.MAP,
                    DataTypes.SERIES,
                    DataTypes.MSG ->
                    true;
            default -> false;
        };
    }

    /** Elements have names of their own, but a container may be among them. */
    private boolean hasContainerAmongElements() {
        elements.clear();
        final int result = elements.decode(from, null);
        if (result != CodecReturnCodes.SUCCESS || elements.checkHasSetData()) {
            return result != CodecReturnCodes.NO_DATA;
        }
        element.clear();
        int code = element.decode(from);
        while (code == CodecReturnCodes.SUCCESS && !mayHoldFields(element.dataType())) {
            code = element.decode(from);
        }
        return code != CodecReturnCodes.END_OF_CONTAINER;
    }

    private int rewrite(final Buffer encoded) {
        from.clear();
        from.setBufferAndRWFVersion(encoded, Codec.majorVersion(), Codec.minorVersion());
        message.clear();
        int result = message.decode(from);
        final int container = message.containerType();
        if (result < CodecReturnCodes.SUCCESS || message.encodedDataBody().length() == 0) {
            return result; // without fields
        }
        final Buffer body = message.encodedDataBody();
        from.clear();
        from.setBufferAndRWFVersion(body, Codec.majorVersion(), Codec.minorVersion());
        if (container != DataTypes.FIELD_LIST && container != DataTypes.MAP) {
            hasUnseen =
                    container == DataTypes.ELEMENT_LIST
                            ? hasContainerAmongElements()
                            : mayHoldFields(container);
            return result;
        }
        if (bytes.capacity() < 2 * encoded.length() + 64) { // sets become single fields
            bytes = ByteBuffer.allocate(4 * encoded.length() + 64);
        }
        bytes.clear(); // the encoder leaves the limit where the last message ended
        out.clear();
        out.data(bytes, 0, bytes.capacity());
        to.clear();
        to.setBufferAndRWFVersion(out, Codec.majorVersion(), Codec.minorVersion());
        result = message.encodeInit(to, 0);
        if (result >= CodecReturnCodes.SUCCESS) {
            result = container == DataTypes.MAP ? book() : fields(null);
        }
        return result < CodecReturnCodes.SUCCESS || result == CodecReturnCodes.NO_DATA
                ? result
                : message.encodeComplete(to, true);
    }

    private int fields(final LocalFieldSetDefDb definitions) {
        list.clear();
        int result = list.decode(from, definitions);
        if (result < CodecReturnCodes.SUCCESS || list.checkHasSetData() && definitions == null) {
            return CodecReturnCodes.FAILURE; // a set of a dictionary, which is not used here
        }
        listOut.clear();
        listOut.applyHasStandardData();
        if (list.checkHasInfo()) {
            listOut.applyHasInfo();
            listOut.dictionaryId(list.dictionaryId());
            listOut.fieldListNum(list.fieldListNum());
        }
        final boolean isEmpty = result == CodecReturnCodes.NO_DATA;
        result = listOut.encodeInit(to, null, 0);
        entry.clear();
        for (int code = isEmpty ? CodecReturnCodes.END_OF_CONTAINER : entry.decode(from);
                code != CodecReturnCodes.END_OF_CONTAINER;
                code = entry.decode(from)) {
            if (code < CodecReturnCodes.SUCCESS || result < CodecReturnCodes.SUCCESS) {
                return CodecReturnCodes.FAILURE;
            }
            result = field();
        }
        return result < CodecReturnCodes.SUCCESS ? result : listOut.encodeComplete(to, true);
    }

    private int field() {
        final Buffer value = entry.encodedData();
        if (!keeps(entry.fieldId(), value)) {
            firstSkipped = skipped == 0 ? entry.fieldId() : firstSkipped;
            skipped++;
            return CodecReturnCodes.SUCCESS;
        }
        entryOut.clear();
        entryOut.fieldId(entry.fieldId());
        if (list.checkHasSetData() && entry.dataType() == DataTypes.REAL) {
            return packedReal();
        }
        entryOut.dataType(DataTypes.BUFFER);
        if (value.length() == 0) {
            return entryOut.encodeBlank(to);
        }
        entryOut.encodedData(value);
        return entryOut.encode(to);
    }

    /** A price of a set is packed specially; all other types are encoded as usual. */
    private int packedReal() {
        entryOut.dataType(DataTypes.REAL);
        final int code = real.decode(from);
        if (code == CodecReturnCodes.BLANK_DATA || real.isBlank()) {
            return entryOut.encodeBlank(to);
        }
        return code < CodecReturnCodes.SUCCESS ? code : entryOut.encode(to, real);
    }

    private int book() {
        sets.clear();
        map.clear();
        int result = map.decode(from);
        if (result < CodecReturnCodes.SUCCESS) {
            return result;
        }
        if (map.containerType() != DataTypes.FIELD_LIST) {
            hasUnseen = mayHoldFields(map.containerType());
            return CodecReturnCodes.NO_DATA; // none with fields
        }
        final boolean isEmpty = result == CodecReturnCodes.NO_DATA;
        final LocalFieldSetDefDb definitions = map.checkHasSetDefs() ? sets : null;
        if (definitions != null && definitions.decode(from) < CodecReturnCodes.SUCCESS) {
            return CodecReturnCodes.FAILURE;
        }
        mapOut.clear();
        mapOut.flags(map.flags() & ~MapFlags.HAS_SET_DEFS);
        mapOut.containerType(map.containerType());
        mapOut.keyPrimitiveType(map.keyPrimitiveType());
        mapOut.keyFieldId(map.keyFieldId());
        mapOut.totalCountHint(map.totalCountHint());
        result = mapOut.encodeInit(to, 0, 0);
        if (result >= CodecReturnCodes.SUCCESS && map.checkHasSummaryData()) {
            result = fields(definitions);
            if (result >= CodecReturnCodes.SUCCESS) {
                result = mapOut.encodeSummaryDataComplete(to, true);
            }
        }
        row.clear();
        for (int code = isEmpty ? CodecReturnCodes.END_OF_CONTAINER : row.decode(from, null);
                code != CodecReturnCodes.END_OF_CONTAINER;
                code = row.decode(from, null)) {
            if (code < CodecReturnCodes.SUCCESS || result < CodecReturnCodes.SUCCESS) {
                return CodecReturnCodes.FAILURE;
            }
            result = row(definitions);
        }
        return result < CodecReturnCodes.SUCCESS ? result : mapOut.encodeComplete(to, true);
    }

    private int row(final LocalFieldSetDefDb definitions) {
        rowOut.clear();
        rowOut.flags(row.flags());
        rowOut.action(row.action());
        rowOut.encodedKey(row.encodedKey());
        if (row.checkHasPermData()) {
            rowOut.permData(row.permData());
        }
        if (row.action() == MapEntryActions.DELETE || row.encodedData().length() == 0) {
            return rowOut.encode(to);
        }
        int result = rowOut.encodeInit(to, 0);
        if (result >= CodecReturnCodes.SUCCESS) {
            result = fields(definitions);
        }
        return result < CodecReturnCodes.SUCCESS ? result : rowOut.encodeComplete(to, true);
    }
}
