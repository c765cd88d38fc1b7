package io.tickmark.workloads.market.data;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.Date;
import com.refinitiv.eta.codec.DateTime;
import com.refinitiv.eta.codec.Double;
import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.codec.Enum;
import com.refinitiv.eta.codec.FieldEntry;
import com.refinitiv.eta.codec.Float;
import com.refinitiv.eta.codec.Int;
import com.refinitiv.eta.codec.Qos;
import com.refinitiv.eta.codec.Real;
import com.refinitiv.eta.codec.State;
import com.refinitiv.eta.codec.Time;
import com.refinitiv.eta.codec.UInt;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A value of a message file in the codec's own form, so that encoding it involves no parsing. For
 * one thread: the codec moves the position of a text's buffer while it copies it.
 *
 * @param type one of {@link DataTypes}
 * @param value of the codec's class for that type; null where it is blank
 */
record Primitive(int type, Object value) {

    /** Encodes the value as a field; allocates nothing. */
    int encode(final FieldEntry entry, final EncodeIterator iterator) {
        if (value == null) {
            return entry.encodeBlank(iterator);
        }
        return switch (type) {
            case DataTypes.INT -> entry.encode(iterator, (Int) value);
            case DataTypes.UINT -> entry.encode(iterator, (UInt) value);
            case DataTypes.FLOAT -> entry.encode(iterator, (Float) value);
            case DataTypes.DOUBLE -> entry.encode(iterator, (Double) value);
            case DataTypes.REAL -> entry.encode(iterator, (Real) value);
            case DataTypes.DATE -> entry.encode(iterator, (Date) value);
            case DataTypes.TIME -> entry.encode(iterator, (Time) value);
            case DataTypes.DATETIME -> entry.encode(iterator, (DateTime) value);
            case DataTypes.QOS -> entry.encode(iterator, (Qos) value);
            case DataTypes.STATE -> entry.encode(iterator, (State) value);
            case DataTypes.ENUM -> entry.encode(iterator, (Enum) value);
            default -> entry.encode(iterator, (Buffer) value);
        };
    }

    /**
     * Reads the text of a {@code data} attribute.
     *
     * @return null if the text is no value of the type
     */
    static Primitive parse(final int type, final String data) {
        if (isText(type)) {
            return new Primitive(type, text(data));
        }
        if (data.isBlank()) {
            return new Primitive(type, null);
        }
        final String text = data.strip();
        try {
            return number(type, text);
        } catch (final RuntimeException e) { // what the codec's parsers throw for invalid text
            return null;
        }
    }

    private static boolean isText(final int type) {
        return switch (type) {
            case DataTypes.BUFFER,
                    DataTypes.ASCII_STRING,
                    DataTypes.UTF8_STRING,
                    DataTypes.RMTES_STRING ->
                    true;
            default -> false;
        };
    }

    /** A buffer over the text's bytes. */
    static Buffer text(final String data) {
        final byte[] bytes = data.getBytes(StandardCharsets.UTF_8);
        final Buffer buffer = CodecFactory.createBuffer();
        buffer.data(ByteBuffer.wrap(bytes), 0, bytes.length);
        return buffer;
    }

    private static Primitive number(final int type, final String text) {
        return switch (type) {
            case DataTypes.INT -> {
                final Int value = CodecFactory.createInt();
                value.value(Long.parseLong(text));
                yield new Primitive(type, value);
            }
            case DataTypes.UINT -> {
                final UInt value = CodecFactory.createUInt();
                value.value(Long.parseUnsignedLong(text));
                yield new Primitive(type, value);
            }
            case DataTypes.FLOAT -> {
                final Float value = CodecFactory.createFloat();
                value.value(java.lang.Float.parseFloat(text));
                yield new Primitive(type, value);
            }
            case DataTypes.DOUBLE -> {
                final Double value = CodecFactory.createDouble();
                value.value(java.lang.Double.parseDouble(text));
                yield new Primitive(type, value);
            }
            case DataTypes.REAL -> {
                final Real value = CodecFactory.createReal();
                yield valid(type, value, value.value(text));
            }
            case DataTypes.ENUM -> {
                final Enum value = CodecFactory.createEnum();
                yield valid(type, value, value.value(Integer.parseInt(text)));
            }
            default -> moment(type, text);
        };
    }

    private static Primitive moment(final int type, final String text) {
        return switch (type) {
            case DataTypes.DATE -> {
                final Date value = CodecFactory.createDate();
                final int result = value.value(text);
                yield value.isValid() ? valid(type, value, result) : null;
            }
            case DataTypes.TIME -> {
                final Time value = CodecFactory.createTime();
                final int result = value.value(text);
                yield value.isValid() ? valid(type, value, result) : null;
            }
            case DataTypes.DATETIME -> {
                final DateTime value = CodecFactory.createDateTime();
                final int result = value.value(text);
                yield value.isValid() ? valid(type, value, result) : null;
            }
            default -> null; // quality of service and state have their own attributes
        };
    }

    private static Primitive valid(final int type, final Object value, final int result) {
        return result == CodecReturnCodes.SUCCESS ? new Primitive(type, value) : null;
    }
}
