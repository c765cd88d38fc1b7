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
import java.util.concurrent.TimeUnit;

/**
 * Decodes the content of messages, every field into a value of its type, and keeps the measuring
 * fields. Single-threaded; allocates nothing after construction.
 */
public final class PayloadDecoder {
    private final FieldDictionary dictionary;
    private final long nsPerUnit;
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
    private int unknownFields;
    private long updateTime;
    private long postTime;
    private long genericTime;
    private long intendedNs;
    private long updateSequence;
    private long postSequence;
    private long genericSequence;

    /**
     * A decoder.
     *
     * @param dictionary that has the types of fields
     * @param trackingUnit of the tracking fields
     */
    public PayloadDecoder(final FieldDictionary dictionary, final TimeUnit trackingUnit) {
        this.dictionary = dictionary;
        nsPerUnit = trackingUnit.toNanos(1);
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
        unknownFields = 0;
        updateTime = 0;
        postTime = 0;
        genericTime = 0;
        intendedNs = 0;
        updateSequence = 0;
        postSequence = 0;
        genericSequence = 0;
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
                    measuring(fieldEntry.fieldId(), unsigned.toLong());
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
                unknownFields++;
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

    private void measuring(final int fieldId, final long value) {
        switch (fieldId) {
            case Fields.UPDATE_TIME -> updateTime = value;
            case Fields.POST_TIME -> postTime = value;
            case Fields.GENERIC_TIME -> genericTime = value;
            case Fields.INTENDED_TIME -> intendedNs = value;
            case Fields.UPDATE_SEQUENCE -> updateSequence = value;
            case Fields.POST_SEQUENCE -> postSequence = value;
            case Fields.GENERIC_SEQUENCE -> genericSequence = value;
            default -> {
                // a field of the file
            }
        }
    }

    /**
     * Fields in the last message.
     *
     * @return the count, unknown ones included
     */
    public int fields() {
        return fields;
    }

    /**
     * Fields of the last message that the dictionary does not have.
     *
     * @return the count
     */
    public int unknownFields() {
        return unknownFields;
    }

    /**
     * When the encoding of the last message began. Images carry the value of their last update: do
     * not use it for them.
     *
     * @param kind that the message counts as
     * @return ns; 0 where the message has no latency data
     */
    public long takenNs(final MessageKind kind) {
        return nsPerUnit
                * switch (kind) {
                    case REFRESH -> 0;
                    case UPDATE -> updateTime;
                    case POST -> postTime;
                    case GENERIC -> genericTime;
                };
    }

    /**
     * The due time of the last message.
     *
     * @return ns; 0 where the message does not say
     */
    public long intendedNs() {
        return intendedNs;
    }

    /**
     * Number of the last message.
     *
     * @param kind that the message counts as
     * @return from 1; 0 where the message has none
     */
    public long sequence(final MessageKind kind) {
        return switch (kind) {
            case REFRESH, UPDATE -> updateSequence;
            case POST -> postSequence;
            case GENERIC -> genericSequence;
        };
    }
}
