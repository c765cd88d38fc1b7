package io.tickmark.workloads.market.data;

import com.refinitiv.eta.codec.Array;
import com.refinitiv.eta.codec.ArrayEntry;
import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.Date;
import com.refinitiv.eta.codec.DateTime;
import com.refinitiv.eta.codec.DecodeIterator;
import com.refinitiv.eta.codec.Double;
import com.refinitiv.eta.codec.Enum;
import com.refinitiv.eta.codec.FieldEntry;
import com.refinitiv.eta.codec.FieldList;
import com.refinitiv.eta.codec.Float;
import com.refinitiv.eta.codec.Int;
import com.refinitiv.eta.codec.LocalFieldSetDefDb;
import com.refinitiv.eta.codec.Map;
import com.refinitiv.eta.codec.MapEntry;
import com.refinitiv.eta.codec.MapEntryActions;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.Qos;
import com.refinitiv.eta.codec.Real;
import com.refinitiv.eta.codec.State;
import com.refinitiv.eta.codec.Time;
import com.refinitiv.eta.codec.UInt;

/**
 * Decodes the content of messages, every field into a value of its type, and keeps the measuring
 * fields. Single-threaded; allocates nothing after construction.
 */
public final class PayloadDecoder extends MeasuringFields {
    private final FieldDictionary dictionary;
    private final DecodeIterator iterator = CodecFactory.createDecodeIterator();
    private final Msg nested = CodecFactory.createMsg();
    private final FieldList fieldList = CodecFactory.createFieldList();
    private final FieldEntry fieldEntry = CodecFactory.createFieldEntry();
    private final LocalFieldSetDefDb sets = CodecFactory.createLocalFieldSetDefDb();
    private final Map map = CodecFactory.createMap();
    private final MapEntry mapEntry = CodecFactory.createMapEntry();
    private final Int signed = CodecFactory.createInt();
    private final UInt unsigned = CodecFactory.createUInt();
    private final Float single = CodecFactory.createFloat();
    private final Double twice = CodecFactory.createDouble();
    private final Real real = CodecFactory.createReal();
    private final Date date = CodecFactory.createDate();
    private final Time time = CodecFactory.createTime();
    private final DateTime dateTime = CodecFactory.createDateTime();
    private final Qos qos = CodecFactory.createQos();
    private final State state = CodecFactory.createState();
    private final Enum enumerated = CodecFactory.createEnum();
    private final Buffer text = CodecFactory.createBuffer();
    private final Array array = CodecFactory.createArray();
    private final ArrayEntry arrayEntry = CodecFactory.createArrayEntry();
    private int fields;

    /**
     * A decoder.
     *
     * @param dictionary that has the types of fields
     */
    public PayloadDecoder(final FieldDictionary dictionary) {
        this.dictionary = dictionary;
    }

    /**
     * Decodes the content of a message; a message inside a message (a post) too.
     *
     * @param message just decoded itself
     * @param majorVersion of the channel
     * @param minorVersion of the channel
     * @return {@link CodecReturnCodes#SUCCESS}, or less where the content is malformed
     */
    public int decode(final Msg message, final int majorVersion, final int minorVersion) {
        fields = 0;
        clear();
        if (message.encodedDataBody().length() == 0) {
            return CodecReturnCodes.SUCCESS;
        }
        iterator.clear();
        try {
            final int result =
                    iterator.setBufferAndRWFVersion(
                            message.encodedDataBody(), majorVersion, minorVersion);
            return result < CodecReturnCodes.SUCCESS ? result : container(message.containerType());
        } catch (final RuntimeException e) { // how the codec reports that lengths do not match
            return CodecReturnCodes.INVALID_DATA;
        }
    }

    private int container(final int containerType) {
        return switch (containerType) {
            case DataTypes.FIELD_LIST -> fieldList(null);
            case DataTypes.MAP -> map();
            case DataTypes.MSG -> {
                nested.clear();
                final int result = nested.decode(iterator);
                yield result < CodecReturnCodes.SUCCESS || nested.containerType() == DataTypes.MSG
                        ? result // nothing puts a post into a post
                        : container(nested.containerType());
            }
            default -> CodecReturnCodes.SUCCESS; // other content is not decoded
        };
    }

    private int map() {
        sets.clear();
        int result = map.decode(iterator);
        if (result < CodecReturnCodes.SUCCESS || result == CodecReturnCodes.NO_DATA) {
            return result;
        }
        if (map.checkHasSetDefs()) {
            result = sets.decode(iterator);
            if (result < CodecReturnCodes.SUCCESS) {
                return result;
            }
        }
        if (map.checkHasSummaryData() && map.containerType() == DataTypes.FIELD_LIST) {
            result = fieldList(sets);
            if (result < CodecReturnCodes.SUCCESS) {
                return result;
            }
        }
        mapEntry.clear();
        for (result = mapEntry.decode(iterator, null);
                result != CodecReturnCodes.END_OF_CONTAINER;
                result = mapEntry.decode(iterator, null)) {
            if (result < CodecReturnCodes.SUCCESS) {
                return result;
            }
            if (mapEntry.action() != MapEntryActions.DELETE
                    && map.containerType() == DataTypes.FIELD_LIST) {
                result = fieldList(sets);
                if (result < CodecReturnCodes.SUCCESS) {
                    return result;
                }
            }
        }
        return CodecReturnCodes.SUCCESS;
    }

    private int fieldList(final LocalFieldSetDefDb definitions) {
        fieldList.clear();
        int result = fieldList.decode(iterator, definitions);
        if (result < CodecReturnCodes.SUCCESS || result == CodecReturnCodes.NO_DATA) {
            return result;
        }
        fieldEntry.clear();
        for (result = fieldEntry.decode(iterator);
                result != CodecReturnCodes.END_OF_CONTAINER;
                result = fieldEntry.decode(iterator)) {
            if (result < CodecReturnCodes.SUCCESS) {
                return result;
            }
            fields++;
            result = value(dictionary.typeOf(fieldEntry.fieldId()));
            if (result < CodecReturnCodes.SUCCESS) {
                return result;
            }
        }
        return CodecReturnCodes.SUCCESS;
    }

    private int value(final int type) {
        return switch (type) {
            case DataTypes.UINT -> {
                final int result = unsigned.decode(iterator);
                if (result == CodecReturnCodes.SUCCESS) {
                    take(fieldEntry.fieldId(), unsigned.toLong());
                }
                yield result;
            }
            case DataTypes.REAL -> real.decode(iterator);
            case DataTypes.ENUM -> enumerated.decode(iterator);
            case DataTypes.TIME -> time.decode(iterator);
            case DataTypes.DATE -> date.decode(iterator);
            case DataTypes.DATETIME -> dateTime.decode(iterator);
            case DataTypes.INT -> signed.decode(iterator);
            case DataTypes.FLOAT -> single.decode(iterator);
            case DataTypes.DOUBLE -> twice.decode(iterator);
            case DataTypes.QOS -> qos.decode(iterator);
            case DataTypes.STATE -> state.decode(iterator);
            case DataTypes.BUFFER,
                    DataTypes.ASCII_STRING,
                    DataTypes.UTF8_STRING,
                    DataTypes.RMTES_STRING ->
                    text.decode(iterator);
            case DataTypes.ARRAY -> array();
            case DataTypes.UNKNOWN -> {
                countUnknown();
                yield CodecReturnCodes.SUCCESS;
            }
            default -> CodecReturnCodes.SUCCESS; // a container inside a field
        };
    }

    private int array() {
        int result = array.decode(iterator);
        if (result < CodecReturnCodes.SUCCESS || result == CodecReturnCodes.BLANK_DATA) {
            return result;
        }
        for (result = arrayEntry.decode(iterator);
                result != CodecReturnCodes.END_OF_CONTAINER;
                result = arrayEntry.decode(iterator)) {
            if (result < CodecReturnCodes.SUCCESS) {
                return result;
            }
        }
        return CodecReturnCodes.SUCCESS;
    }

    /**
     * Fields in the last message.
     *
     * @return the count, unknown ones included
     */
    public int fields() {
        return fields;
    }
}
