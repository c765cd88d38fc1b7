package io.tickmark.workloads.market.data;

import com.refinitiv.ema.access.ComplexType;
import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.FieldEntry;
import com.refinitiv.ema.access.FieldList;
import com.refinitiv.ema.access.MapEntry;
import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.Date;
import com.refinitiv.eta.codec.DateTime;
import com.refinitiv.eta.codec.Double;
import com.refinitiv.eta.codec.Enum;
import com.refinitiv.eta.codec.Float;
import com.refinitiv.eta.codec.Int;
import com.refinitiv.eta.codec.Qos;
import com.refinitiv.eta.codec.Real;
import com.refinitiv.eta.codec.State;
import com.refinitiv.eta.codec.Time;
import com.refinitiv.eta.codec.UInt;
import io.tickmark.workloads.market.data.Payload.FieldValue;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Contents of messages as the objects of the Message API, with the measuring fields of the
 * messages. The objects of a template are created once and refilled for each message, which is the
 * minimum that the library allows. Single-threaded.
 */
public final class EmaContent {
    private final FieldDictionary dictionary;
    private final long nsPerUnit;
    private final Map<MessageTemplate, TemplateObjects> made = new IdentityHashMap<>();
    private final FieldEntry sequence = EmaFactory.createFieldEntry();
    private final FieldEntry taken = EmaFactory.createFieldEntry();
    private final FieldEntry intended = EmaFactory.createFieldEntry();
    private final FieldEntry host = EmaFactory.createFieldEntry();

    /** The objects of one template. */
    private record TemplateObjects(
            FieldList fields,
            List<FieldEntry> entries,
            com.refinitiv.ema.access.Map map,
            List<MapEntry> rows) {}

    /**
     * A maker of contents.
     *
     * @param dictionary determines which measuring fields counterparts know; the others are left
     *     out
     * @param trackingUnit of the tracking fields
     */
    public EmaContent(final FieldDictionary dictionary, final TimeUnit trackingUnit) {
        this.dictionary = dictionary;
        nsPerUnit = trackingUnit.toNanos(1);
    }

    /**
     * Fills the content of a message.
     *
     * @param template of any kind
     * @param tracking number and times
     * @return the content; the next call for the template fills the same again
     */
    public ComplexType of(final MessageTemplate template, final Tracking tracking) {
        final TemplateObjects content = made.computeIfAbsent(template, EmaContent::make);
        content.fields().clear();
        measuring(content.fields(), template.kind(), tracking);
        final List<FieldEntry> entries = content.entries();
        for (int i = 0; i < entries.size(); i++) {
            content.fields().add(entries.get(i));
        }
        if (content.map() == null) {
            return content.fields();
        }
        content.map().clear();
        content.map().summaryData(content.fields());
        for (int i = 0; i < content.rows().size(); i++) {
            content.map().add(content.rows().get(i));
        }
        return content.map();
    }

    private void measuring(
            final FieldList fields, final MessageKind kind, final Tracking tracking) {
        if (dictionary.hasSequences() && tracking.sequence() != 0) {
            fields.add(sequence.uintValue(kind.sequenceField(), tracking.sequence()));
        }
        if (tracking.takenNs() == 0) {
            return;
        }
        if (kind.timeField() != 0 && dictionary.hasTime(kind)) {
            fields.add(taken.uintValue(kind.timeField(), tracking.takenNs() / nsPerUnit));
        }
        if (dictionary.hasIntendedTime() && tracking.intendedNs() != 0) {
            fields.add(intended.uintValue(Fields.INTENDED_TIME, tracking.intendedNs()));
        }
        if (dictionary.hasHost()) {
            fields.add(host.uintValue(Fields.HOST, Fields.OWN_HOST));
        }
    }

    private static TemplateObjects make(final MessageTemplate template) {
        final FieldList fields = EmaFactory.createFieldList();
        return switch (template.payload()) {
            case final Payload.FieldPayload list ->
                    new TemplateObjects(fields, entries(list.fields()), null, List.of());
            case final Payload.Book book ->
                    new TemplateObjects(fields, List.of(), EmaFactory.createMap(), rows(book));
        };
    }

    private static List<FieldEntry> entries(final FieldValue[] fields) {
        final List<FieldEntry> entries = new ArrayList<>();
        for (final FieldValue field : fields) {
            entries.add(entry(field.fieldId(), field.value()));
        }
        return entries;
    }

    private static List<MapEntry> rows(final Payload.Book book) {
        final List<MapEntry> rows = new ArrayList<>();
        for (final Payload.Row row : book.rows()) {
            final FieldList fields = EmaFactory.createFieldList();
            entries(row.fields()).forEach(fields::add);
            rows.add(row(row.action(), row.key(), fields));
        }
        return rows;
    }

    private static MapEntry row(final int action, final Primitive key, final FieldList fields) {
        final MapEntry row = EmaFactory.createMapEntry();
        return switch (key.value()) {
            case final Int number -> row.keyInt(number.toLong(), action, fields);
            case final UInt number -> row.keyUInt(number.toLong(), action, fields);
            case final Real real -> row.keyReal(real.toLong(), real.hint(), action, fields);
            case final Enum number -> row.keyEnum(number.toInt(), action, fields);
            case final Float number -> row.keyFloat(number.toFloat(), action, fields);
            case final Double number -> row.keyDouble(number.toDouble(), action, fields);
            case final Date date ->
                    row.keyDate(date.year(), date.month(), date.day(), action, fields);
            case final Time time ->
                    row.keyTime(
                            time.hour(),
                            time.minute(),
                            time.second(),
                            time.millisecond(),
                            time.microsecond(),
                            time.nanosecond(),
                            action,
                            fields);
            case final DateTime at ->
                    row.keyDateTime(
                            at.year(),
                            at.month(),
                            at.day(),
                            at.hour(),
                            at.minute(),
                            at.second(),
                            at.millisecond(),
                            at.microsecond(),
                            at.nanosecond(),
                            action,
                            fields);
            case final Buffer text ->
                    key.type() == DataTypes.ASCII_STRING
                            ? row.keyAscii(text.toString(), action, fields)
                            : key.type() == DataTypes.RMTES_STRING
                                    ? row.keyRmtes(bytes(text), action, fields)
                                    : key.type() == DataTypes.UTF8_STRING
                                            ? row.keyUtf8(bytes(text), action, fields)
                                            : row.keyBuffer(bytes(text), action, fields);
            default ->
                    throw new IllegalArgumentException(
                            "the Message API has no key of type " + DataTypes.toString(key.type()));
        };
    }

    private static ByteBuffer bytes(final Buffer text) {
        final byte[] copy = new byte[text.length()];
        text.copy(copy);
        return ByteBuffer.wrap(copy);
    }

    private static FieldEntry entry(final int id, final Primitive value) {
        final FieldEntry entry = EmaFactory.createFieldEntry();
        return switch (value.value()) {
            case null -> blank(entry, id, value.type());
            case final Int number -> entry.intValue(id, number.toLong());
            case final UInt number -> entry.uintValue(id, number.toBigInteger());
            case final Float number -> entry.floatValue(id, number.toFloat());
            case final Double number -> entry.doubleValue(id, number.toDouble());
            case final Real real -> entry.real(id, real.toLong(), real.hint());
            case final Enum number -> entry.enumValue(id, number.toInt());
            case final Date date -> entry.date(id, date.year(), date.month(), date.day());
            case final Time time -> time(entry, id, time);
            case final DateTime at -> dateTime(entry, id, at);
            case final Qos qos ->
                    entry.qos(id, Math.max(0, qos.timeliness() - 1), Math.max(0, qos.rate() - 1));
            case final State state ->
                    entry.state(
                            id,
                            state.streamState(),
                            state.dataState(),
                            state.code(),
                            state.text().toString());
            case final Buffer text -> text(entry, id, value.type(), text);
            default -> throw new IllegalArgumentException("no field of " + value);
        };
    }

    private static FieldEntry time(final FieldEntry entry, final int id, final Time time) {
        return entry.time(
                id,
                time.hour(),
                time.minute(),
                time.second(),
                time.millisecond(),
                time.microsecond(),
                time.nanosecond());
    }

    private static FieldEntry dateTime(final FieldEntry entry, final int id, final DateTime at) {
        return entry.dateTime(
                id,
                at.year(),
                at.month(),
                at.day(),
                at.hour(),
                at.minute(),
                at.second(),
                at.millisecond(),
                at.microsecond(),
                at.nanosecond());
    }

    private static FieldEntry text(
            final FieldEntry entry, final int id, final int type, final Buffer text) {
        return switch (type) {
            case DataTypes.ASCII_STRING -> entry.ascii(id, text.toString());
            case DataTypes.UTF8_STRING -> entry.utf8(id, bytes(text));
            case DataTypes.RMTES_STRING -> entry.rmtes(id, bytes(text));
            default -> entry.buffer(id, bytes(text));
        };
    }

    private static FieldEntry blank(final FieldEntry entry, final int id, final int type) {
        return switch (type) {
            case DataTypes.INT -> entry.codeInt(id);
            case DataTypes.UINT -> entry.codeUInt(id);
            case DataTypes.FLOAT -> entry.codeFloat(id);
            case DataTypes.DOUBLE -> entry.codeDouble(id);
            case DataTypes.REAL -> entry.codeReal(id);
            case DataTypes.ENUM -> entry.codeEnum(id);
            case DataTypes.DATE -> entry.codeDate(id);
            case DataTypes.TIME -> entry.codeTime(id);
            case DataTypes.DATETIME -> entry.codeDateTime(id);
            case DataTypes.QOS -> entry.codeQos(id);
            case DataTypes.STATE -> entry.codeState(id);
            default -> entry.codeRmtes(id);
        };
    }
}
