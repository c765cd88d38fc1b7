package io.tickmark.workloads.market.hub;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.Codec;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataDictionary;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.Date;
import com.refinitiv.eta.codec.DateTime;
import com.refinitiv.eta.codec.DecodeIterator;
import com.refinitiv.eta.codec.DictionaryEntry;
import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.codec.FieldEntry;
import com.refinitiv.eta.codec.FieldList;
import com.refinitiv.eta.codec.LocalFieldSetDefDb;
import com.refinitiv.eta.codec.Map;
import com.refinitiv.eta.codec.MapEntry;
import com.refinitiv.eta.codec.MapEntryActions;
import com.refinitiv.eta.codec.Msg;
import io.tickmark.workloads.market.hub.HubCounts.Drop;
import java.nio.ByteBuffer;

/**
 * Leaves the fields out of a message that the converter to JSON would fail at: a single one costs
 * the consumer its whole message. These are fields that no dictionary has, and values that are not
 * of their field's type. Of field lists and of maps of them; other content goes as it is. One
 * thread.
 */
final class JsonFields {
    private final DataDictionary dictionary;
    private final HubCounts counts;
    private final Msg message = CodecFactory.createMsg();
    private final DecodeIterator from = CodecFactory.createDecodeIterator();
    private final EncodeIterator to = CodecFactory.createEncodeIterator();
    private final DecodeIterator ofValue = CodecFactory.createDecodeIterator();
    private final FieldList list = CodecFactory.createFieldList();
    private final FieldEntry entry = CodecFactory.createFieldEntry();
    private final FieldList listOut = CodecFactory.createFieldList();
    private final FieldEntry entryOut = CodecFactory.createFieldEntry();
    private final Map map = CodecFactory.createMap();
    private final Map mapOut = CodecFactory.createMap();
    private final MapEntry row = CodecFactory.createMapEntry();
    private final MapEntry rowOut = CodecFactory.createMapEntry();
    private final LocalFieldSetDefDb sets = CodecFactory.createLocalFieldSetDefDb();
    private final Buffer out = CodecFactory.createBuffer();
    private final com.refinitiv.eta.codec.Int signed = CodecFactory.createInt();
    private final com.refinitiv.eta.codec.UInt unsigned = CodecFactory.createUInt();
    private final com.refinitiv.eta.codec.Real real = CodecFactory.createReal();
    private final com.refinitiv.eta.codec.Enum enumerated = CodecFactory.createEnum();
    private final com.refinitiv.eta.codec.Float single = CodecFactory.createFloat();
    private final com.refinitiv.eta.codec.Double twice = CodecFactory.createDouble();
    private final com.refinitiv.eta.codec.Time time = CodecFactory.createTime();
    private final Date date = CodecFactory.createDate();
    private final DateTime dateTime = CodecFactory.createDateTime();
    private final com.refinitiv.eta.codec.Qos qos = CodecFactory.createQos();
    private final com.refinitiv.eta.codec.State state = CodecFactory.createState();
    private ByteBuffer bytes = ByteBuffer.allocate(1 << 13);
    private long skipped;
    private int firstSkipped;

    JsonFields(final DataDictionary dictionary, final HubCounts counts) {
        this.dictionary = dictionary;
        this.counts = counts;
    }

    /** The message itself, or what is left of it, which holds until the next call. */
    Buffer of(final Buffer encoded) {
        skipped = 0;
        final int result;
        try {
            result = rewrite(encoded);
        } catch (final RuntimeException e) { // how the codec says that lengths do not fit
            return encoded; // the converter meets the same, and the consumer is told
        }
        if (skipped == 0 || result < CodecReturnCodes.SUCCESS) {
            return encoded;
        }
        final int first = firstSkipped;
        counts.dropped(
                Drop.JSON_FIELDS_SKIPPED,
                skipped,
                () ->
                        "field %d, which %s"
                                .formatted(
                                        first,
                                        dictionary.entry(first) == null
                                                ? "no dictionary has"
                                                : "holds what is no "
                                                        + DataTypes.toString(
                                                                dictionary
                                                                        .entry(first)
                                                                        .rwfType())));
        return out;
    }

    private int rewrite(final Buffer encoded) {
        from.clear();
        from.setBufferAndRWFVersion(encoded, Codec.majorVersion(), Codec.minorVersion());
        message.clear();
        int result = message.decode(from);
        final int container = message.containerType();
        if (result < CodecReturnCodes.SUCCESS
                || container != DataTypes.FIELD_LIST && container != DataTypes.MAP
                || message.encodedDataBody().length() == 0) {
            return CodecReturnCodes.FAILURE;
        }
        final Buffer body = message.encodedDataBody();
        from.clear();
        from.setBufferAndRWFVersion(body, Codec.majorVersion(), Codec.minorVersion());
        if (bytes.capacity() < 2 * encoded.length() + 64) { // sets become single fields
            bytes = ByteBuffer.allocate(4 * encoded.length() + 64);
        }
        out.clear();
        out.data(bytes, 0, bytes.capacity());
        to.clear();
        to.setBufferAndRWFVersion(out, Codec.majorVersion(), Codec.minorVersion());
        result = message.encodeInit(to, 0);
        if (result >= CodecReturnCodes.SUCCESS) {
            result = container == DataTypes.MAP ? book() : fields(null);
        }
        return result < CodecReturnCodes.SUCCESS ? result : message.encodeComplete(to, true);
    }

    private int fields(final LocalFieldSetDefDb definitions) {
        list.clear();
        int result = list.decode(from, definitions);
        if (result < CodecReturnCodes.SUCCESS && result != CodecReturnCodes.NO_DATA
                || list.checkHasSetData()) {
            return CodecReturnCodes.FAILURE; // as it is: fields of sets have their types with them
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
        if (!isConvertible(entry.fieldId(), value)) {
            firstSkipped = skipped == 0 ? entry.fieldId() : firstSkipped;
            skipped++;
            return CodecReturnCodes.SUCCESS;
        }
        entryOut.clear();
        entryOut.fieldId(entry.fieldId());
        entryOut.dataType(DataTypes.BUFFER);
        if (value.length() == 0) {
            return entryOut.encodeBlank(to);
        }
        entryOut.encodedData(value);
        return entryOut.encode(to);
    }

    private boolean isConvertible(final int fieldId, final Buffer value) {
        final DictionaryEntry known = dictionary.entry(fieldId);
        if (known == null) {
            return false;
        }
        if (value.length() == 0) {
            return true;
        }
        ofValue.clear();
        ofValue.setBufferAndRWFVersion(value, Codec.majorVersion(), Codec.minorVersion());
        final int result =
                switch (known.rwfType()) {
                    case DataTypes.INT -> signed.decode(ofValue);
                    case DataTypes.UINT -> unsigned.decode(ofValue);
                    case DataTypes.REAL -> real.decode(ofValue);
                    case DataTypes.ENUM -> enumerated.decode(ofValue);
                    case DataTypes.FLOAT -> single.decode(ofValue);
                    case DataTypes.DOUBLE -> twice.decode(ofValue);
                    case DataTypes.TIME -> time.decode(ofValue);
                    case DataTypes.DATE -> date.decode(ofValue);
                    case DataTypes.DATETIME -> dateTime.decode(ofValue);
                    case DataTypes.QOS -> qos.decode(ofValue);
                    case DataTypes.STATE -> state.decode(ofValue);
                    default -> CodecReturnCodes.SUCCESS; // any text will do
                };
        return result >= CodecReturnCodes.SUCCESS || result == CodecReturnCodes.BLANK_DATA;
    }

    private int book() {
        sets.clear();
        map.clear();
        int result = map.decode(from);
        if (result < CodecReturnCodes.SUCCESS
                || map.containerType() != DataTypes.FIELD_LIST
                || map.checkHasSetDefs()) {
            return CodecReturnCodes.FAILURE;
        }
        mapOut.clear();
        mapOut.flags(map.flags());
        mapOut.containerType(map.containerType());
        mapOut.keyPrimitiveType(map.keyPrimitiveType());
        mapOut.keyFieldId(map.keyFieldId());
        mapOut.totalCountHint(map.totalCountHint());
        result = mapOut.encodeInit(to, 0, 0);
        if (result >= CodecReturnCodes.SUCCESS && map.checkHasSummaryData()) {
            result = fields(null);
            if (result >= CodecReturnCodes.SUCCESS) {
                result = mapOut.encodeSummaryDataComplete(to, true);
            }
        }
        row.clear();
        for (int code = row.decode(from, null);
                code != CodecReturnCodes.END_OF_CONTAINER;
                code = row.decode(from, null)) {
            if (code < CodecReturnCodes.SUCCESS || result < CodecReturnCodes.SUCCESS) {
                return CodecReturnCodes.FAILURE;
            }
            result = row();
        }
        return result < CodecReturnCodes.SUCCESS ? result : mapOut.encodeComplete(to, true);
    }

    private int row() {
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
            result = fields(null);
        }
        return result < CodecReturnCodes.SUCCESS ? result : rowOut.encodeComplete(to, true);
    }
}
