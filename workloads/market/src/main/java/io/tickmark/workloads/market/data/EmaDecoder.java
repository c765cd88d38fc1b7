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
public final class EmaDecoder extends MeasuringFields {
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
        clear();
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
            case DataTypes.UINT -> unsigned(field.fieldId(), field.uintValue());
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
                countUnknown();
                return true;
            }
            default -> seen++;
        }
        return true;
    }

    private void unsigned(final int fieldId, final long value) {
        if (!take(fieldId, value)) {
            seen += value;
        }
    }

    /**
     * A sum over all values, so that the compiler cannot leave out reading them.
     *
     * @return any number
     */
    public long seen() {
        return seen;
    }
}
