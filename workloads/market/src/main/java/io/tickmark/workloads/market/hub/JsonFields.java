package io.tickmark.workloads.market.hub;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.Codec;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.Date;
import com.refinitiv.eta.codec.DateTime;
import com.refinitiv.eta.codec.DecodeIterator;
import com.refinitiv.eta.codec.DictionaryEntry;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.FieldFilter;
import io.tickmark.workloads.market.hub.HubCounts.Traffic;

/**
 * Removes the fields at which the converter to JSON would fail, as a single one costs the consumer
 * its whole message, and those that it would call by another provider's name. These are fields that
 * neither the dictionary of the service nor the hub's own has, fields that have another name or
 * type in the dictionary that the converter looks in first, and values that are not of their
 * field's type. (Enumerations need not be the same: JSON has their numbers.) Of field lists and of
 * maps of them; other content is not changed, but counted where fields in it may get another
 * provider's names. Single-threaded.
 */
final class JsonFields extends FieldFilter {
    private final Dictionaries dictionaries;
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
    private FieldDictionary ofService;
    private boolean hasNested;

    JsonFields(final Dictionaries dictionaries, final HubCounts counts) {
        this.dictionaries = dictionaries;
        this.counts = counts;
    }

    /** The message of a service itself, or the rest of it, which is valid until the next call. */
    Buffer of(final Buffer encoded, final HubService service) {
        ofService = dictionaries.of(service);
        hasNested = false;
        final Buffer left = filter(encoded);
        if ((hasUnseen() || hasNested || hasFailed()) && dictionaries.isMisnamed(ofService)) {
            counts.dropped(Traffic::jsonNotSeparated, () -> "one of " + service.name());
        }
        if (left == encoded) {
            return encoded; // the converter fails at what cannot be read as well, which ends the
            // connection
        }
        final int first = firstSkipped();
        counts.dropped(
                Traffic::jsonFieldsSkipped,
                skipped(),
                () -> "field %d, which %s".formatted(first, why(first, service)));
        return left;
    }

    private String why(final int fieldId, final HubService service) {
        final DictionaryEntry known = dictionaries.ofAll().entry(fieldId);
        final DictionaryEntry wanted = dictionaries.wanted(ofService, fieldId);
        if (known == null) {
            return "no dictionary has";
        }
        if (wanted == null) {
            return "only the dictionary of another service than %s has".formatted(service.name());
        }
        return Dictionaries.agree(known, wanted)
                ? "holds something that is not of type " + DataTypes.toString(known.rwfType())
                : "is %s for %s and %s for another service"
                        .formatted(
                                Dictionaries.words(wanted),
                                service.name(),
                                Dictionaries.words(known));
    }

    @Override
    protected boolean keeps(final int fieldId, final Buffer value) {
        final DictionaryEntry known = dictionaries.ofAll().entry(fieldId);
        final DictionaryEntry wanted = dictionaries.wanted(ofService, fieldId);
        if (known == null || wanted == null || !Dictionaries.agree(known, wanted)) {
            return false;
        }
        if (value.length() == 0) {
            return true;
        }
        hasNested |= mayHoldFields(known.rwfType());
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
