package io.tickmark.workloads.market.data;

import com.refinitiv.ema.access.Data;
import com.refinitiv.ema.access.DataType.DataTypes;
import com.refinitiv.ema.access.FieldEntry;
import com.refinitiv.ema.access.FieldList;
import com.refinitiv.ema.access.Map;
import com.refinitiv.ema.access.MapEntry;

/**
 * Reads every field of a message of the Message API, and those that measure it. Single-threaded;
 * the library allocates while it reads.
 */
public final class EmaDecoder {
    private long updateTime;
    private long postTime;
    private long genericTime;
    private long intendedNs;
    private long updateSequence;
    private long postSequence;
    private long genericSequence;
    private int unknownFields;
    private long seen;

    /** Has read nothing yet. */
    public EmaDecoder() {}

    /**
     * Reads the content of a message.
     *
     * @param payload of the message
     * @return false where it is malformed
     */
    public boolean decode(final com.refinitiv.ema.access.Payload payload) {
        updateTime = 0;
        postTime = 0;
        genericTime = 0;
        intendedNs = 0;
        updateSequence = 0;
        postSequence = 0;
        genericSequence = 0;
        unknownFields = 0;
        return switch (payload.dataType()) {
            case DataTypes.FIELD_LIST -> fields(payload.fieldList());
            case DataTypes.MAP -> map(payload.map());
            case DataTypes.ERROR -> false;
            default -> true; // other content is not decoded
        };
    }

    private boolean map(final Map map) {
        boolean isWhole =
                map.summaryData().dataType() != DataTypes.FIELD_LIST
                        || fields(map.summaryData().fieldList());
        for (final MapEntry row : map) {
            if (row.loadType() == DataTypes.FIELD_LIST) {
                isWhole &= fields(row.fieldList());
            }
        }
        return isWhole;
    }

    private boolean fields(final FieldList fields) {
        boolean isWhole = true;
        for (final FieldEntry field : fields) {
            isWhole &= value(field);
        }
        return isWhole;
    }

    /** Takes the value out in its own type, as a program that uses it would. */
    private boolean value(final FieldEntry field) {
        if (field.code() == Data.DataCode.BLANK) {
            return true;
        }
        switch (field.loadType()) {
            case DataTypes.UINT -> measuring(field.fieldId(), field.uintValue());
            case DataTypes.INT -> seen += field.intValue();
            case DataTypes.REAL -> seen += field.real().mantissa();
            case DataTypes.ENUM -> seen += field.enumValue();
            case DataTypes.DATE -> seen += field.date().day();
            case DataTypes.TIME -> seen += field.time().second();
            case DataTypes.DATETIME -> seen += field.dateTime().second();
            case DataTypes.FLOAT -> seen += (long) field.floatValue();
            case DataTypes.DOUBLE -> seen += (long) field.doubleValue();
            case DataTypes.ASCII -> seen += field.ascii().ascii().length();
            case DataTypes.UTF8 -> seen += field.utf8().buffer().limit();
            case DataTypes.RMTES -> seen += field.rmtes().asHex().limit();
            case DataTypes.BUFFER -> seen += field.buffer().buffer().limit();
            case DataTypes.QOS -> seen += field.qos().rate();
            case DataTypes.STATE -> seen += field.state().dataState();
            case DataTypes.ERROR -> {
                unknownFields++; // not in the dictionary
                return true;
            }
            default -> seen++;
        }
        return true;
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
            default -> seen += value;
        }
    }

    /**
     * When the encoding of the last message began, in the unit it was sent in.
     *
     * @param kind that the message counts as
     * @return the raw number; 0 where the message has none
     */
    public long taken(final MessageKind kind) {
        return switch (kind) {
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

    /**
     * Fields of the last message that the dictionary does not have.
     *
     * @return the count
     */
    public int unknownFields() {
        return unknownFields;
    }

    /**
     * A sum over all values, so that none of them is read for nothing.
     *
     * @return any number
     */
    public long seen() {
        return seen;
    }
}
