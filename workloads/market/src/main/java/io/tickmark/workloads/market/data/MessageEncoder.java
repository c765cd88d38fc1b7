package io.tickmark.workloads.market.data;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.Codec;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.Date;
import com.refinitiv.eta.codec.DateTime;
import com.refinitiv.eta.codec.Double;
import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.codec.Enum;
import com.refinitiv.eta.codec.FieldEntry;
import com.refinitiv.eta.codec.FieldList;
import com.refinitiv.eta.codec.Float;
import com.refinitiv.eta.codec.GenericMsg;
import com.refinitiv.eta.codec.Int;
import com.refinitiv.eta.codec.LocalFieldSetDefDb;
import com.refinitiv.eta.codec.Map;
import com.refinitiv.eta.codec.MapEntry;
import com.refinitiv.eta.codec.MapEntryActions;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.MsgClasses;
import com.refinitiv.eta.codec.PostMsg;
import com.refinitiv.eta.codec.Real;
import com.refinitiv.eta.codec.RefreshMsg;
import com.refinitiv.eta.codec.Time;
import com.refinitiv.eta.codec.UInt;
import com.refinitiv.eta.codec.UpdateMsg;
import com.refinitiv.eta.rdm.UpdateEventTypes;
import io.tickmark.workloads.market.data.Payload.FieldValue;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Encodes messages of a message file with their measuring fields. Single-threaded; allocates
 * nothing after construction. The iterator given must be set to a buffer of at least {@link
 * MessageTemplate#maxBytes} and to the channel's version; results are {@link CodecReturnCodes}.
 */
public final class MessageEncoder {
    private final PayloadEncoder payloads;
    private final Msg message = CodecFactory.createMsg();
    private final Msg nested = CodecFactory.createMsg();

    /**
     * An encoder.
     *
     * @param dictionary determines which measuring fields counterparts know; the others are left
     *     out
     * @param trackingUnit of the tracking fields: microseconds as the vendor's tools have it, or
     *     nanoseconds
     */
    public MessageEncoder(final FieldDictionary dictionary, final TimeUnit trackingUnit) {
        payloads = new PayloadEncoder(dictionary, trackingUnit);
    }

    /**
     * Encodes an image.
     *
     * @param iterator set to a buffer
     * @param template a refresh
     * @param streamId of the item's stream
     * @param tracking its number is that of the item's last update
     * @param header whose image it is
     * @return {@link CodecReturnCodes#SUCCESS} or less
     */
    public int refresh(
            final EncodeIterator iterator,
            final MessageTemplate template,
            final int streamId,
            final Tracking tracking,
            final ImageHeader header) {
        begin(message, template, MsgClasses.REFRESH, streamId);
        header.applyTo((RefreshMsg) message);
        return encode(iterator, message, template, tracking);
    }

    /**
     * Encodes an image without content, as a server on standby sends it.
     *
     * @param iterator set to a buffer
     * @param domainType of the item
     * @param streamId of the item's stream
     * @param header whose image it is
     * @return {@link CodecReturnCodes#SUCCESS} or less
     */
    public int emptyRefresh(
            final EncodeIterator iterator,
            final int domainType,
            final int streamId,
            final ImageHeader header) {
        message.clear();
        message.msgClass(MsgClasses.REFRESH);
        message.domainType(domainType);
        message.containerType(DataTypes.NO_DATA);
        message.streamId(streamId);
        header.applyTo((RefreshMsg) message);
        return message.encode(iterator);
    }

    /**
     * Encodes an update.
     *
     * @param iterator set to a buffer
     * @param template an update
     * @param streamId of the item's stream
     * @param tracking number and times
     * @return {@link CodecReturnCodes#SUCCESS} or less
     */
    public int update(
            final EncodeIterator iterator,
            final MessageTemplate template,
            final int streamId,
            final Tracking tracking) {
        begin(message, template, MsgClasses.UPDATE, streamId);
        ((UpdateMsg) message).updateType(UpdateEventTypes.QUOTE);
        ((UpdateMsg) message).applyDoNotConflate(); // a conflated update would count as lost
        return encode(iterator, message, template, tracking);
    }

    /**
     * Encodes a post on an item's stream: an update inside a post message.
     *
     * @param iterator set to a buffer
     * @param template a post
     * @param streamId of the item's stream
     * @param tracking number and times
     * @param header who posts
     * @return {@link CodecReturnCodes#SUCCESS} or less
     */
    public int post(
            final EncodeIterator iterator,
            final MessageTemplate template,
            final int streamId,
            final Tracking tracking,
            final PostHeader header) {
        begin(message, template, MsgClasses.POST, streamId);
        message.containerType(DataTypes.MSG);
        header.applyTo((PostMsg) message);
        int result = message.encodeInit(iterator, 0);
        if (result < CodecReturnCodes.SUCCESS) {
            return result;
        }
        begin(nested, template, MsgClasses.UPDATE, 0); // the post's stream counts
        ((UpdateMsg) nested).updateType(UpdateEventTypes.QUOTE);
        result = encode(iterator, nested, template, tracking);
        return result < CodecReturnCodes.SUCCESS ? result : message.encodeComplete(iterator, true);
    }

    /**
     * Encodes a generic message.
     *
     * @param iterator set to a buffer
     * @param template a generic message
     * @param streamId of the item's stream
     * @param tracking number and times
     * @return {@link CodecReturnCodes#SUCCESS} or less
     */
    public int generic(
            final EncodeIterator iterator,
            final MessageTemplate template,
            final int streamId,
            final Tracking tracking) {
        begin(message, template, MsgClasses.GENERIC, streamId);
        ((GenericMsg) message).applyMessageComplete();
        return encode(iterator, message, template, tracking);
    }

    private static void begin(
            final Msg message, final MessageTemplate template, final int kind, final int streamId) {
        message.clear();
        message.msgClass(kind);
        message.domainType(template.domainType());
        message.containerType(template.containerType());
        message.streamId(streamId);
    }

    private int encode(
            final EncodeIterator iterator,
            final Msg header,
            final MessageTemplate template,
            final Tracking tracking) {
        int result = header.encodeInit(iterator, 0);
        if (result < CodecReturnCodes.SUCCESS) {
            return result;
        }
        result = payloads.encode(iterator, template, tracking);
        return result < CodecReturnCodes.SUCCESS ? result : header.encodeComplete(iterator, true);
    }

    /**
     * Encodes updates, posts or generic messages once, to be sent any number of times with another
     * stream, number and times.
     *
     * @param template of any kind but an image
     * @param header who posts; ignored but for a post
     * @return the encoded message, with and without latency data
     */
    public PreEncoded preEncode(final MessageTemplate template, final PostHeader header) {
        return PreEncoded.of(this, template, header);
    }

    /** Of the tracking fields. */
    long nsPerUnit() {
        return payloads.nsPerUnit();
    }

    /** As {@link #update}, {@link #post} or {@link #generic}, by the template's kind. */
    int any(
            final EncodeIterator iterator,
            final MessageTemplate template,
            final int streamId,
            final Tracking tracking,
            final PostHeader header) {
        return switch (template.kind()) {
            case UPDATE -> update(iterator, template, streamId, tracking);
            case POST -> post(iterator, template, streamId, tracking, header);
            case GENERIC -> generic(iterator, template, streamId, tracking);
            case REFRESH -> throw new IllegalArgumentException("an image is encoded each time");
        };
    }

    /** Sets an iterator to a buffer outside of any channel. */
    static void set(final EncodeIterator iterator, final Buffer buffer) {
        iterator.clear();
        iterator.setBufferAndRWFVersion(buffer, Codec.majorVersion(), Codec.minorVersion());
    }

    /**
     * Encodes the content of messages: the fields that measure first, in a book's summary, then
     * those of the file. Single-threaded; allocates nothing after construction.
     */
    private static final class PayloadEncoder {
        private final boolean[] hasTime = new boolean[MessageKind.values().length];
        private final boolean hasSequences;
        private final boolean hasIntendedTime;
        private final boolean hasHost;
        private final long nsPerUnit;
        private final FieldList fieldList = CodecFactory.createFieldList();
        private final FieldEntry fieldEntry = CodecFactory.createFieldEntry();
        private final Map map = CodecFactory.createMap();
        private final MapEntry mapEntry = CodecFactory.createMapEntry();
        private final UInt number = CodecFactory.createUInt();

        PayloadEncoder(final FieldDictionary dictionary, final TimeUnit trackingUnit) {
            for (final MessageKind kind : MessageKind.values()) {
                hasTime[kind.ordinal()] = kind.timeField() != 0 && dictionary.hasTime(kind);
            }
            hasSequences = dictionary.hasSequences();
            hasIntendedTime = dictionary.hasIntendedTime();
            hasHost = dictionary.hasHost();
            nsPerUnit = trackingUnit.toNanos(1);
        }

        long nsPerUnit() {
            return nsPerUnit;
        }

        int encode(
                final EncodeIterator iterator,
                final MessageTemplate template,
                final Tracking tracking) {
            return switch (template.payload()) {
                case final Payload.FieldPayload list ->
                        fields(iterator, template.kind(), tracking, list.fields());
                case final Payload.Book book -> book(iterator, template.kind(), tracking, book);
            };
        }

        private int fields(
                final EncodeIterator iterator,
                final MessageKind kind,
                final Tracking tracking,
                final FieldValue[] fields) {
            fieldList.clear();
            fieldList.applyHasStandardData();
            int result = fieldList.encodeInit(iterator, null, 0);
            if (result >= CodecReturnCodes.SUCCESS) {
                result = measuring(iterator, kind, tracking);
            }
            if (result >= CodecReturnCodes.SUCCESS) {
                result = values(iterator, fields);
            }
            return result < CodecReturnCodes.SUCCESS
                    ? result
                    : fieldList.encodeComplete(iterator, true);
        }

        private int measuring(
                final EncodeIterator iterator, final MessageKind kind, final Tracking tracking) {
            int result = CodecReturnCodes.SUCCESS;
            if (hasSequences && tracking.sequence() != 0) {
                result = number(iterator, kind.sequenceField(), tracking.sequence());
            }
            if (tracking.takenNs() == 0 || result < CodecReturnCodes.SUCCESS) {
                return result;
            }
            if (hasTime[kind.ordinal()]) {
                result = number(iterator, kind.timeField(), tracking.takenNs() / nsPerUnit);
            }
            if (result >= CodecReturnCodes.SUCCESS
                    && hasIntendedTime
                    && tracking.intendedNs() != 0) {
                result = number(iterator, Fields.INTENDED_TIME, tracking.intendedNs());
            }
            if (result >= CodecReturnCodes.SUCCESS && hasHost) {
                result = number(iterator, Fields.HOST, Fields.OWN_HOST);
            }
            return result;
        }

        private int number(final EncodeIterator iterator, final int fieldId, final long value) {
            number.value(value);
            fieldEntry.fieldId(fieldId);
            fieldEntry.dataType(DataTypes.UINT);
            return fieldEntry.encode(iterator, number);
        }

        private int values(final EncodeIterator iterator, final FieldValue[] fields) {
            for (final FieldValue field : fields) {
                final int result = field.encode(fieldEntry, iterator);
                if (result < CodecReturnCodes.SUCCESS) {
                    return result;
                }
            }
            return CodecReturnCodes.SUCCESS;
        }

        private int book(
                final EncodeIterator iterator,
                final MessageKind kind,
                final Tracking tracking,
                final Payload.Book book) {
            map.clear();
            map.containerType(DataTypes.FIELD_LIST);
            map.keyPrimitiveType(book.keyType());
            map.applyHasSummaryData();
            if (book.sets() != null) {
                map.applyHasSetDefs();
            }
            int result = map.encodeInit(iterator, 0, 0);
            if (result >= CodecReturnCodes.SUCCESS && book.sets() != null) {
                result = book.sets().encode(iterator);
                if (result >= CodecReturnCodes.SUCCESS) {
                    result = map.encodeSetDefsComplete(iterator, true);
                }
            }
            if (result >= CodecReturnCodes.SUCCESS) {
                result = fields(iterator, kind, tracking, NO_FIELDS);
            }
            if (result >= CodecReturnCodes.SUCCESS) {
                result = map.encodeSummaryDataComplete(iterator, true);
            }
            if (result >= CodecReturnCodes.SUCCESS) {
                result = rows(iterator, book.sets(), book.rows());
            }
            return result < CodecReturnCodes.SUCCESS ? result : map.encodeComplete(iterator, true);
        }

        private static final FieldValue[] NO_FIELDS = {};

        private int rows(
                final EncodeIterator iterator,
                final LocalFieldSetDefDb sets,
                final List<Payload.Row> rows) {
            for (int i = 0; i < rows.size(); i++) { // by index: an iterator would be garbage
                final Payload.Row row = rows.get(i);
                mapEntry.clear();
                mapEntry.action(row.action());
                int result;
                if (row.action() == MapEntryActions.DELETE) {
                    result = key(iterator, row.key(), false);
                } else {
                    result = key(iterator, row.key(), true);
                    if (result >= CodecReturnCodes.SUCCESS) {
                        result = rowFields(iterator, sets, row);
                    }
                    if (result >= CodecReturnCodes.SUCCESS) {
                        result = mapEntry.encodeComplete(iterator, true);
                    }
                }
                if (result < CodecReturnCodes.SUCCESS) {
                    return result;
                }
            }
            return CodecReturnCodes.SUCCESS;
        }

        private int rowFields(
                final EncodeIterator iterator,
                final LocalFieldSetDefDb sets,
                final Payload.Row row) {
            fieldList.clear();
            int inSet = 0;
            if (row.setId() >= 0) {
                fieldList.applyHasSetData();
                fieldList.applyHasSetId();
                fieldList.setId(row.setId());
                inSet = sets.definitions()[row.setId()].count();
            }
            if (row.fields().length > inSet) {
                fieldList.applyHasStandardData();
            }
            int result = fieldList.encodeInit(iterator, row.setId() >= 0 ? sets : null, 0);
            if (result >= CodecReturnCodes.SUCCESS) {
                result = values(iterator, row.fields());
            }
            return result < CodecReturnCodes.SUCCESS
                    ? result
                    : fieldList.encodeComplete(iterator, true);
        }

        private int key(
                final EncodeIterator iterator, final Primitive key, final boolean container) {
            return switch (key.type()) {
                case DataTypes.INT ->
                        container
                                ? mapEntry.encodeInit(iterator, (Int) key.value(), 0)
                                : mapEntry.encode(iterator, (Int) key.value());
                case DataTypes.UINT ->
                        container
                                ? mapEntry.encodeInit(iterator, (UInt) key.value(), 0)
                                : mapEntry.encode(iterator, (UInt) key.value());
                case DataTypes.FLOAT ->
                        container
                                ? mapEntry.encodeInit(iterator, (Float) key.value(), 0)
                                : mapEntry.encode(iterator, (Float) key.value());
                case DataTypes.DOUBLE ->
                        container
                                ? mapEntry.encodeInit(iterator, (Double) key.value(), 0)
                                : mapEntry.encode(iterator, (Double) key.value());
                case DataTypes.REAL ->
                        container
                                ? mapEntry.encodeInit(iterator, (Real) key.value(), 0)
                                : mapEntry.encode(iterator, (Real) key.value());
                case DataTypes.ENUM ->
                        container
                                ? mapEntry.encodeInit(iterator, (Enum) key.value(), 0)
                                : mapEntry.encode(iterator, (Enum) key.value());
                case DataTypes.DATE ->
                        container
                                ? mapEntry.encodeInit(iterator, (Date) key.value(), 0)
                                : mapEntry.encode(iterator, (Date) key.value());
                case DataTypes.TIME ->
                        container
                                ? mapEntry.encodeInit(iterator, (Time) key.value(), 0)
                                : mapEntry.encode(iterator, (Time) key.value());
                case DataTypes.DATETIME ->
                        container
                                ? mapEntry.encodeInit(iterator, (DateTime) key.value(), 0)
                                : mapEntry.encode(iterator, (DateTime) key.value());
                default ->
                        container
                                ? mapEntry.encodeInit(iterator, (Buffer) key.value(), 0)
                                : mapEntry.encode(iterator, (Buffer) key.value());
            };
        }
    }
}
