package io.tickmark.workloads.market.data;

import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.FieldSetDef;
import com.refinitiv.eta.codec.FieldSetDefEntry;
import com.refinitiv.eta.codec.LocalFieldSetDefDb;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the map of an order book. */
final class BookReader {
    /** Sets that a message may define for itself. */
    private static final int MAX_SET_ID = 15;

    private static final int MAX_ROWS = 100_000;
    private static final int MAX_SET_ENTRIES = 255;

    private final XmlFile xml;
    private final FieldReader fields;
    private final EncodingCheck check;

    BookReader(final XmlFile xml, final FieldReader fields, final EncodingCheck check) {
        this.xml = xml;
        this.fields = fields;
        this.check = check;
    }

    /** The map that was just entered. */
    Payload.Book book() {
        final int keyType =
                xml.attribute("keyPrimitiveType") == null
                        ? DataTypes.BUFFER
                        : fields.word("keyPrimitiveType", Words.TYPES);
        LocalFieldSetDefDb sets = null;
        final List<Payload.Row> rows = new ArrayList<>();
        for (String element = xml.next(); element != null; element = xml.next()) {
            switch (element) {
                case "fieldSetDefs" -> {
                    if (sets != null || !rows.isEmpty()) {
                        throw xml.error("<fieldSetDefs> must stand once, before the entries");
                    }
                    sets = sets();
                }
                case "mapEntry" -> rows.add(checked(row(keyType, sets), keyType, sets));
                default ->
                        throw xml.error(
                                "<%s> is not expected in a <map>"
                                        .formatted(XmlFile.shown(element)));
            }
            if (rows.size() > MAX_ROWS) {
                throw xml.error("a map has more than " + MAX_ROWS + " entries");
            }
        }
        return new Payload.Book(sets, keyType, List.copyOf(rows));
    }

    private Payload.Row checked(
            final Payload.Row row, final int keyType, final LocalFieldSetDefDb sets) {
        final String trouble = check.trouble(new Payload.Book(sets, keyType, List.of(row)));
        if (!trouble.isEmpty()) {
            throw xml.error(
                    "the <mapEntry> that ends here cannot be sent (%s): a value does not fit the type that its"
                                    .formatted(trouble)
                            + " field set gives it, or a text is too long");
        }
        return row;
    }

    private LocalFieldSetDefDb sets() {
        final Map<Integer, FieldSetDefEntry[]> byId = new HashMap<>();
        for (String element = xml.next(); element != null; element = xml.next()) {
            if (!element.equals("fieldSetDef")) {
                throw xml.error(
                        "<%s> is not expected in <fieldSetDefs>".formatted(XmlFile.shown(element)));
            }
            final int setId = xml.number("setId", xml.needed("setId"), 0, MAX_SET_ID);
            if (byId.put(setId, setEntries()) != null) {
                throw xml.error("field set " + setId + " is defined twice");
            }
        }
        final LocalFieldSetDefDb sets = CodecFactory.createLocalFieldSetDefDb();
        byId.forEach((setId, entries) -> define(sets, setId, entries));
        return sets;
    }

    private static void define(
            final LocalFieldSetDefDb sets, final int setId, final FieldSetDefEntry[] entries) {
        final FieldSetDef definition = sets.definitions()[setId];
        definition.setId(setId);
        definition.count(entries.length);
        definition.entries(entries);
        sets.maxSetId(Math.max(sets.maxSetId(), setId));
    }

    private FieldSetDefEntry[] setEntries() {
        final List<FieldSetDefEntry> entries = new ArrayList<>();
        final Map<String, Integer> types = new HashMap<>(Words.TYPES);
        types.putAll(Words.SET_TYPES);
        for (String element = xml.next(); element != null; element = xml.next()) {
            if (!element.equals("fieldSetDefEntry")) {
                throw xml.error(
                        "<%s> is not expected in <fieldSetDef>".formatted(XmlFile.shown(element)));
            }
            final FieldSetDefEntry entry = CodecFactory.createFieldSetDefEntry();
            entry.fieldId(fields.fieldId());
            entry.dataType(fields.word("dataType", types));
            fields.checkType(entry.fieldId(), Words.baseOf(entry.dataType()));
            entries.add(entry);
            xml.end("fieldSetDefEntry");
            if (entries.size() > MAX_SET_ENTRIES) {
                throw xml.error("a field set has more than " + MAX_SET_ENTRIES + " fields");
            }
        }
        return entries.toArray(FieldSetDefEntry[]::new);
    }

    private Payload.Row row(final int keyType, final LocalFieldSetDefDb sets) {
        final String key = xml.needed("key");
        final Primitive value = Primitive.parse(keyType, key);
        if (value == null || value.value() == null) {
            throw xml.error(
                    "key=\"%s\" is no %s".formatted(XmlFile.shown(key), Words.typeName(keyType)));
        }
        final int action = fields.word("action", Words.ACTIONS);
        final String list = xml.next();
        if (list == null) {
            return new Payload.Row(action, value, -1, new FieldValue[0]);
        }
        if (!list.equals("fieldList")) {
            throw xml.error(
                    "<%s> is not expected in <mapEntry>; use <fieldList>"
                            .formatted(XmlFile.shown(list)));
        }
        final String set = xml.attribute("setId");
        final int setId = set == null ? -1 : xml.number("setId", set, 0, MAX_SET_ID);
        final FieldValue[] values = fields.fields();
        if (setId >= 0) {
            checkSet(sets, setId, values);
        }
        xml.end("mapEntry");
        return new Payload.Row(action, value, setId, values);
    }

    private void checkSet(
            final LocalFieldSetDefDb sets, final int setId, final FieldValue[] values) {
        final FieldSetDef set = sets == null ? null : sets.definitions()[setId];
        if (set == null || set.entries() == null || set.count() == 0) {
            throw xml.error("field set " + setId + " is not defined in <fieldSetDefs>");
        }
        for (int i = 0; i < set.count(); i++) {
            final int expected = set.entries()[i].fieldId();
            if (i >= values.length || values[i].fieldId() != expected) {
                throw xml.error(
                        "field set %d has field %d in place %d; the list must begin with the fields"
                                        .formatted(setId, expected, i + 1)
                                + " of its set, in their order");
            }
        }
    }
}
