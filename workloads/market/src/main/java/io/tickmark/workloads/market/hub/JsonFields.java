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
import io.tickmark.workloads.market.data.FieldFilter;
import io.tickmark.workloads.market.hub.HubCounts.Traffic;

/**
 * Removes the fields at which the converter to JSON would fail: a single one costs the consumer its
 * whole message. These are fields that no dictionary has, and values that are not of their field's
 * type. Of field lists and of maps of them; other content is not changed. Single-threaded.
 */
final class JsonFields extends FieldFilter {
    private final DataDictionary dictionary;
    private final HubCounts counts;
    private final DecodeIterator ofValue = CodecFactory.createDecodeIterator();
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

    JsonFields(final DataDictionary dictionary, final HubCounts counts) {
        this.dictionary = dictionary;
        this.counts = counts;
    }

    /** The message itself, or the rest of it, which is valid until the next call. */
    Buffer of(final Buffer encoded) {
        final Buffer left = filter(encoded);
        if (left == encoded) {
            return encoded; // the converter fails at what cannot be read as well, which ends the
            // connection
        }
        final int first = firstSkipped();
        counts.dropped(
                Traffic::jsonFieldsSkipped,
                skipped(),
                () ->
                        "field %d, which %s"
                                .formatted(
                                        first,
                                        dictionary.entry(first) == null
                                                ? "no dictionary has"
                                                : "holds something that is not of type "
                                                        + DataTypes.toString(
                                                                dictionary
                                                                        .entry(first)
                                                                        .rwfType())));
        return left;
    }

    @Override
    protected boolean keeps(final int fieldId, final Buffer value) {
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
}
