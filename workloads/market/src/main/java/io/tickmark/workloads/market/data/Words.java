package io.tickmark.workloads.market.data;

import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.MapEntryActions;
import java.util.Map;

/** The words of message files for the codec's constants. */
final class Words {
    private static final String TYPE = "RSSL_DT_";

    /** Types of fields. */
    static final Map<String, Integer> TYPES =
            Map.ofEntries(
                    Map.entry(TYPE + "INT", DataTypes.INT),
                    Map.entry(TYPE + "UINT", DataTypes.UINT),
                    Map.entry(TYPE + "FLOAT", DataTypes.FLOAT),
                    Map.entry(TYPE + "DOUBLE", DataTypes.DOUBLE),
                    Map.entry(TYPE + "REAL", DataTypes.REAL),
                    Map.entry(TYPE + "DATE", DataTypes.DATE),
                    Map.entry(TYPE + "TIME", DataTypes.TIME),
                    Map.entry(TYPE + "DATETIME", DataTypes.DATETIME),
                    Map.entry(TYPE + "QOS", DataTypes.QOS),
                    Map.entry(TYPE + "STATE", DataTypes.STATE),
                    Map.entry(TYPE + "ENUM", DataTypes.ENUM),
                    Map.entry(TYPE + "BUFFER", DataTypes.BUFFER),
                    Map.entry(TYPE + "ASCII_STRING", DataTypes.ASCII_STRING),
                    Map.entry(TYPE + "UTF8_STRING", DataTypes.UTF8_STRING),
                    Map.entry(TYPE + "RMTES_STRING", DataTypes.RMTES_STRING));

    /** Types of fixed length, which field sets may also name. */
    static final Map<String, Integer> SET_TYPES =
            Map.ofEntries(
                    Map.entry(TYPE + "INT_1", DataTypes.INT_1),
                    Map.entry(TYPE + "UINT_1", DataTypes.UINT_1),
                    Map.entry(TYPE + "INT_2", DataTypes.INT_2),
                    Map.entry(TYPE + "UINT_2", DataTypes.UINT_2),
                    Map.entry(TYPE + "INT_4", DataTypes.INT_4),
                    Map.entry(TYPE + "UINT_4", DataTypes.UINT_4),
                    Map.entry(TYPE + "INT_8", DataTypes.INT_8),
                    Map.entry(TYPE + "UINT_8", DataTypes.UINT_8),
                    Map.entry(TYPE + "FLOAT_4", DataTypes.FLOAT_4),
                    Map.entry(TYPE + "DOUBLE_8", DataTypes.DOUBLE_8),
                    Map.entry(TYPE + "REAL_4RB", DataTypes.REAL_4RB),
                    Map.entry(TYPE + "REAL_8RB", DataTypes.REAL_8RB),
                    Map.entry(TYPE + "DATE_4", DataTypes.DATE_4),
                    Map.entry(TYPE + "TIME_3", DataTypes.TIME_3),
                    Map.entry(TYPE + "TIME_5", DataTypes.TIME_5),
                    Map.entry(TYPE + "TIME_7", DataTypes.TIME_7),
                    Map.entry(TYPE + "TIME_8", DataTypes.TIME_8),
                    Map.entry(TYPE + "DATETIME_7", DataTypes.DATETIME_7),
                    Map.entry(TYPE + "DATETIME_9", DataTypes.DATETIME_9),
                    Map.entry(TYPE + "DATETIME_11", DataTypes.DATETIME_11),
                    Map.entry(TYPE + "DATETIME_12", DataTypes.DATETIME_12));

    /** The action of a map entry. */
    static final Map<String, Integer> ACTIONS =
            Map.of(
                    "RSSL_MPEA_UPDATE_ENTRY", MapEntryActions.UPDATE,
                    "RSSL_MPEA_ADD_ENTRY", MapEntryActions.ADD,
                    "RSSL_MPEA_DELETE_ENTRY", MapEntryActions.DELETE);

    private static final String TIMELINESS = "RSSL_QOS_TIME_";
    private static final String RATE = "RSSL_QOS_RATE_";
    private static final String STREAM = "RSSL_STREAM_";
    private static final String DATA = "RSSL_DATA_";

    /** How old data may be. */
    static final Map<String, Integer> QOS_TIMELINESS =
            Map.of(
                    TIMELINESS + "UNSPECIFIED", 0,
                    TIMELINESS + "REALTIME", 1,
                    TIMELINESS + "DELAYED_UNKNOWN", 2,
                    TIMELINESS + "DELAYED", 3);

    /** How much data may be conflated. */
    static final Map<String, Integer> QOS_RATES =
            Map.of(
                    RATE + "UNSPECIFIED", 0,
                    RATE + "TICK_BY_TICK", 1,
                    RATE + "JIT_CONFLATED", 2,
                    RATE + "TIME_CONFLATED", 3);

    /** States of a stream. */
    static final Map<String, Integer> STREAM_STATES =
            Map.of(
                    STREAM + "UNSPECIFIED", 0,
                    STREAM + "OPEN", 1,
                    STREAM + "NON_STREAMING", 2,
                    STREAM + "CLOSED_RECOVER", 3,
                    STREAM + "CLOSED", 4,
                    STREAM + "REDIRECTED", 5);

    /** States of data. */
    static final Map<String, Integer> DATA_STATES =
            Map.of(DATA + "NO_CHANGE", 0, DATA + "OK", 1, DATA + "SUSPECT", 2);

    private Words() {}

    /** The type that a field of a set has on the wire outside a set. */
    static int baseOf(final int setType) {
        return switch (setType) {
            case DataTypes.INT_1, DataTypes.INT_2, DataTypes.INT_4, DataTypes.INT_8 ->
                    DataTypes.INT;
            case DataTypes.UINT_1, DataTypes.UINT_2, DataTypes.UINT_4, DataTypes.UINT_8 ->
                    DataTypes.UINT;
            case DataTypes.FLOAT_4 -> DataTypes.FLOAT;
            case DataTypes.DOUBLE_8 -> DataTypes.DOUBLE;
            case DataTypes.REAL_4RB, DataTypes.REAL_8RB -> DataTypes.REAL;
            case DataTypes.DATE_4 -> DataTypes.DATE;
            case DataTypes.TIME_3, DataTypes.TIME_5, DataTypes.TIME_7, DataTypes.TIME_8 ->
                    DataTypes.TIME;
            case DataTypes.DATETIME_7,
                    DataTypes.DATETIME_9,
                    DataTypes.DATETIME_11,
                    DataTypes.DATETIME_12 ->
                    DataTypes.DATETIME;
            default -> setType;
        };
    }

    /** The word of a type. */
    static String typeName(final int type) {
        return TYPES.entrySet().stream()
                .filter(entry -> entry.getValue() == type)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(DataTypes.toString(type));
    }
}
