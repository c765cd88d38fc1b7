package io.tickmark.workloads.market.data;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.Date;
import com.refinitiv.eta.codec.DateTime;
import com.refinitiv.eta.codec.DecodeIterator;
import com.refinitiv.eta.codec.FieldEntry;
import com.refinitiv.eta.codec.Qos;
import com.refinitiv.eta.codec.State;
import com.refinitiv.eta.codec.Time;
import com.refinitiv.eta.codec.UInt;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A field as text, read with the library and nothing of ours but the type. */
final class DecodedText {
    private DecodedText() {}

    static String of(
            final FieldDictionary dictionary,
            final FieldEntry entry,
            final DecodeIterator iterator) {
        return switch (dictionary.codec().entry(entry.fieldId()).rwfType()) {
            case DataTypes.INT -> {
                final var value = CodecFactory.createInt();
                yield text(value.decode(iterator), value);
            }
            case DataTypes.UINT -> {
                final UInt value = CodecFactory.createUInt();
                yield value.decode(iterator) == CodecReturnCodes.BLANK_DATA
                        ? "blank"
                        : Long.toUnsignedString(value.toLong());
            }
            case DataTypes.FLOAT -> {
                final var value = CodecFactory.createFloat();
                yield text(value.decode(iterator), value);
            }
            case DataTypes.DOUBLE -> {
                final var value = CodecFactory.createDouble();
                yield text(value.decode(iterator), value);
            }
            case DataTypes.REAL -> {
                final var value = CodecFactory.createReal();
                yield value.decode(iterator) == CodecReturnCodes.BLANK_DATA
                        ? "blank"
                        : value.toBigDecimal().stripTrailingZeros().toPlainString();
            }
            case DataTypes.ENUM -> {
                final var value = CodecFactory.createEnum();
                yield text(value.decode(iterator), value);
            }
            default -> other(dictionary.codec().entry(entry.fieldId()).rwfType(), iterator);
        };
    }

    private static String other(final int type, final DecodeIterator iterator) {
        return switch (type) {
            case DataTypes.DATE -> {
                final Date value = CodecFactory.createDate();
                yield value.decode(iterator) == CodecReturnCodes.BLANK_DATA ? "blank" : day(value);
            }
            case DataTypes.TIME -> {
                final Time value = CodecFactory.createTime();
                yield value.decode(iterator) == CodecReturnCodes.BLANK_DATA
                        ? "blank"
                        : "%02d:%02d:%02d.%03d%03d%03d"
                                .formatted(
                                        value.hour(),
                                        value.minute(),
                                        value.second(),
                                        value.millisecond(),
                                        value.microsecond(),
                                        value.nanosecond());
            }
            case DataTypes.DATETIME -> {
                final DateTime value = CodecFactory.createDateTime();
                value.decode(iterator);
                yield "%s %02d:%02d:%02d"
                        .formatted(day(value.date()), value.hour(), value.minute(), value.second());
            }
            case DataTypes.QOS -> {
                final Qos value = CodecFactory.createQos();
                value.decode(iterator);
                yield value.timeliness() + "/" + value.rate();
            }
            case DataTypes.STATE -> {
                final State value = CodecFactory.createState();
                value.decode(iterator);
                yield "%d/%d/%d/%s"
                        .formatted(
                                value.streamState(), value.dataState(), value.code(), value.text());
            }
            default -> {
                final Buffer value = CodecFactory.createBuffer();
                value.decode(iterator);
                final ByteBuffer bytes = ByteBuffer.allocate(value.length());
                value.copy(bytes);
                yield new String(bytes.array(), StandardCharsets.UTF_8);
            }
        };
    }

    private static String day(final Date date) {
        return "%04d-%02d-%02d".formatted(date.year(), date.month(), date.day());
    }

    private static String text(final int result, final Object value) {
        return result == CodecReturnCodes.BLANK_DATA ? "blank" : value.toString();
    }
}
