package io.tickmark.workloads.market.data;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.codec.FieldSetDef;
import com.refinitiv.eta.codec.FieldSetDefEntry;
import com.refinitiv.eta.codec.LocalFieldSetDefDb;
import com.refinitiv.eta.codec.MapEntryActions;
import com.refinitiv.eta.codec.Qos;
import com.refinitiv.eta.codec.State;
import com.refinitiv.eta.rdm.DomainTypes;
import io.tickmark.workloads.market.data.Payload.FieldValue;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Reads the elements of a message file. */
final class MessageFileReader {
    private static final String ROOT = "msgFormat";
    private static final String BODY = "dataBody";
    private static final int MAX_MESSAGES = 10_000;

    private final XmlFile xml;
    private final FieldReader fields;
    private final EncodingCheck check;
    private final BookReader books;

    MessageFileReader(final XmlFile xml, final FieldDictionary dictionary) {
        this.xml = xml;
        fields = new FieldReader(xml, dictionary);
        check = new EncodingCheck(dictionary);
        books = new BookReader(xml, fields, check);
    }

    MessageFile read(final String name) {
        xml.root(ROOT);
        final Map<Integer, MessageFile.Messages> byDomain = new HashMap<>();
        for (String element = xml.next(); element != null; element = xml.next()) {
            final int domainType =
                    switch (element) {
                        case "marketPriceMsgList" -> DomainTypes.MARKET_PRICE;
                        case "marketByOrderMsgList" -> DomainTypes.MARKET_BY_ORDER;
                        default ->
                                throw xml.error(
                                        "<%s> is not expected in <%s>; use <marketPriceMsgList> or"
                                                        .formatted(XmlFile.shown(element), ROOT)
                                                + " <marketByOrderMsgList>");
                    };
            if (byDomain.put(domainType, list(element, domainType)) != null) {
                throw xml.error("there is a second <" + element + ">");
            }
        }
        if (byDomain.isEmpty()) {
            throw xml.error("there is no <marketPriceMsgList>");
        }
        return new MessageFile(name, byDomain);
    }

    private MessageFile.Messages list(final String name, final int domainType) {
        final Map<MessageKind, List<MessageTemplate>> byKind = new EnumMap<>(MessageKind.class);
        for (final MessageKind kind : MessageKind.values()) {
            byKind.put(kind, new ArrayList<>());
        }
        for (String element = xml.next(); element != null; element = xml.next()) {
            final MessageKind kind = kind(name, element);
            final List<MessageTemplate> templates = byKind.get(kind);
            templates.add(message(kind, domainType));
            if (templates.size() > (kind == MessageKind.REFRESH ? 1 : MAX_MESSAGES)) {
                throw xml.error(
                        kind == MessageKind.REFRESH
                                ? "there is a second <refreshMsg>"
                                : "there are more than %d <%s>"
                                        .formatted(MAX_MESSAGES, kind.element()));
            }
        }
        if (byKind.get(MessageKind.REFRESH).isEmpty() || byKind.get(MessageKind.UPDATE).isEmpty()) {
            throw xml.error(
                    "<%s> needs one <refreshMsg> and at least one <updateMsg>".formatted(name));
        }
        return new MessageFile.Messages(
                byKind.get(MessageKind.REFRESH).getFirst(),
                byKind.get(MessageKind.UPDATE),
                byKind.get(MessageKind.POST),
                byKind.get(MessageKind.GENERIC));
    }

    private MessageKind kind(final String list, final String element) {
        for (final MessageKind kind : MessageKind.values()) {
            if (kind.element().equals(element)) {
                return kind;
            }
        }
        if (element.equals("genericMsg")) { // as the guide's text calls it
            return MessageKind.GENERIC;
        }
        throw xml.error(
                "<%s> is not expected in <%s>; use refreshMsg, updateMsg, postMsg or genMsg"
                        .formatted(XmlFile.shown(element), list));
    }

    private MessageTemplate message(final MessageKind kind, final int domainType) {
        String inner = xml.next();
        final boolean nested = kind == MessageKind.POST && "updateMsg".equals(inner);
        if (nested) {
            inner = xml.next();
        }
        if (!BODY.equals(inner)) {
            throw xml.error("<%s> must hold one <%s>".formatted(kind.element(), BODY));
        }
        final Payload payload = body(domainType);
        xml.end(BODY);
        if (nested) {
            xml.end("updateMsg");
        }
        xml.end(kind.element());
        final MessageTemplate template = new MessageTemplate(kind, domainType, payload);
        final String trouble = check.trouble(template);
        if (!trouble.isEmpty()) {
            throw xml.error(
                    "the <%s> that ends here cannot be sent (%s): a text in it, or the whole message, is too long"
                                    .formatted(kind.element(), trouble)
                            + " is");
        }
        return template;
    }

    private Payload body(final int domainType) {
        final String expected = domainType == DomainTypes.MARKET_PRICE ? "fieldList" : "map";
        final String found = xml.next();
        if (!expected.equals(found)) {
            throw xml.error("<%s> must hold one <%s> here".formatted(BODY, expected));
        }
        return domainType == DomainTypes.MARKET_PRICE
                ? new Payload.FieldPayload(fields.fields())
                : books.book();
    }

    /** Reads the map of an order book. */
    private static final class BookReader {
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
                            throw xml.error("<fieldSetDefs> must appear once, before the entries");
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
                            "<%s> is not expected in <fieldSetDefs>"
                                    .formatted(XmlFile.shown(element)));
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
                            "<%s> is not expected in <fieldSetDef>"
                                    .formatted(XmlFile.shown(element)));
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
                        "key=\"%s\" is not of type %s"
                                .formatted(XmlFile.shown(key), Words.typeName(keyType)));
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

    /**
     * Encodes the content of a message file once while it is read: the codec decides whether a
     * value is valid, and there the file and the line are still known. Single-threaded.
     */
    static final class EncodingCheck {
        private final MessageEncoder encoder;
        private final Tracking tracking = new Tracking().timed(1, 1, 1);
        private final PostHeader post = new PostHeader(1, 1);
        private final ImageHeader header =
                new ImageHeader().of(ImageHeader.nameOf("A"), 1).as(true, true);
        private final EncodeIterator iterator = CodecFactory.createEncodeIterator();
        private final Buffer buffer = CodecFactory.createBuffer();
        private ByteBuffer bytes = ByteBuffer.allocate(0);

        EncodingCheck(final FieldDictionary dictionary) {
            encoder = new MessageEncoder(dictionary, TimeUnit.NANOSECONDS);
        }

        /** Why an entry of a book cannot be sent, empty where it can. */
        String trouble(final Payload.Book bookOfOne) {
            return trouble(
                    new MessageTemplate(
                            MessageKind.UPDATE, DomainTypes.MARKET_BY_ORDER, bookOfOne));
        }

        /** Why a message cannot be sent, empty where it can. */
        String trouble(final MessageTemplate template) {
            final int room = template.maxBytes(1);
            if (bytes.capacity() < room) {
                bytes = ByteBuffer.allocate(2 * room);
            }
            bytes.clear();
            buffer.clear();
            buffer.data(bytes, 0, room);
            MessageEncoder.set(iterator, buffer);
            final int result =
                    template.kind() == MessageKind.REFRESH
                            ? encoder.refresh(iterator, template, 1, tracking, header)
                            : encoder.any(iterator, template, 1, tracking, post);
            return result < CodecReturnCodes.SUCCESS ? CodecReturnCodes.toString(result) : "";
        }
    }

    /** Reads fields of a message file, each checked against the dictionary. */
    private static final class FieldReader {
        private static final String ENTRY = "fieldEntry";
        private static final String DATA = "data";
        private static final int MAX_FIELDS = 4096;
        private static final int MAX_UINT16 = 0xffff;
        private static final int MAX_UINT8 = 0xff;

        private final XmlFile xml;
        private final FieldDictionary dictionary;

        FieldReader(final XmlFile xml, final FieldDictionary dictionary) {
            this.xml = xml;
            this.dictionary = dictionary;
        }

        /** The fields up to the end of the list that was just entered. */
        FieldValue[] fields() {
            final List<FieldValue> fields = new ArrayList<>();
            for (String element = xml.next(); element != null; element = xml.next()) {
                if (!element.equals(ENTRY)) {
                    throw xml.error(
                            "<%s> is not expected among the fields; use <%s>"
                                    .formatted(XmlFile.shown(element), ENTRY));
                }
                if (fields.size() == MAX_FIELDS) {
                    throw xml.error("a list has more than " + MAX_FIELDS + " fields");
                }
                fields.add(field());
            }
            return fields.toArray(FieldValue[]::new);
        }

        private FieldValue field() {
            final int fieldId = fieldId();
            if (Fields.isReserved(fieldId)) {
                throw xml.error(
                        "field %d carries the times and numbers that tickmark measures by and cannot"
                                        .formatted(fieldId)
                                + " be in a message file");
            }
            final int type = word("dataType", Words.TYPES);
            checkType(fieldId, type);
            final FieldValue field = new FieldValue(fieldId, value(fieldId, type));
            xml.end(ENTRY);
            return field;
        }

        /** The id of a field that the dictionary has. */
        int fieldId() {
            final int fieldId =
                    xml.number("fieldId", xml.needed("fieldId"), Short.MIN_VALUE, Short.MAX_VALUE);
            if (dictionary.typeOf(fieldId) == DataTypes.UNKNOWN) {
                throw xml.error(
                        "field %d is not in the field dictionary; take it out, or name a dictionary"
                                        .formatted(fieldId)
                                + " that has it with --field-dictionary");
            }
            return fieldId;
        }

        void checkType(final int fieldId, final int type) {
            final int known = dictionary.typeOf(fieldId);
            if (known != type) {
                throw xml.error(
                        "field %d is %s here and %s in the field dictionary"
                                .formatted(fieldId, Words.typeName(type), Words.typeName(known)));
            }
        }

        private Primitive value(final int fieldId, final int type) {
            if (type == DataTypes.QOS || type == DataTypes.STATE) {
                return type == DataTypes.QOS ? qos() : state();
            }
            final String data = xml.needed(DATA);
            final Primitive value = Primitive.parse(type, data);
            if (value == null) {
                throw xml.error(
                        "data=\"%s\" of field %d is not of type %s"
                                .formatted(XmlFile.shown(data), fieldId, Words.typeName(type)));
            }
            return value;
        }

        private Primitive qos() {
            if (isBlank()) {
                return new Primitive(DataTypes.QOS, null);
            }
            final Qos qos = CodecFactory.createQos();
            qos.timeliness(word("qosTimeliness", Words.QOS_TIMELINESS, 1));
            qos.rate(word("qosRate", Words.QOS_RATES, 1));
            qos.dynamic(xml.flag("qosDynamic"));
            qos.timeInfo(optional("qosTimeInfo", MAX_UINT16));
            qos.rateInfo(optional("qosRateInfo", MAX_UINT16));
            if (qos.timeliness() == 0 || qos.rate() == 0) {
                throw xml.error("a quality of service must specify qosTimeliness and qosRate");
            }
            return new Primitive(DataTypes.QOS, qos);
        }

        private Primitive state() {
            if (isBlank()) {
                return new Primitive(DataTypes.STATE, null);
            }
            final State state = CodecFactory.createState();
            state.streamState(word("streamState", Words.STREAM_STATES, 1));
            state.dataState(word("dataState", Words.DATA_STATES, 0));
            state.code(optional("code", MAX_UINT8));
            final String text = xml.attribute("text");
            if (text != null) {
                state.text(Primitive.text(text));
            }
            return new Primitive(DataTypes.STATE, state);
        }

        private boolean isBlank() {
            final String data = xml.attribute(DATA);
            if (data != null && !data.isBlank()) {
                throw xml.error(
                        "data=\"...\" of a quality of service or state must be empty; its parts have attributes "
                                + "of their own");
            }
            return data != null;
        }

        private int optional(final String attribute, final int max) {
            final String value = xml.attribute(attribute);
            return value == null ? 0 : xml.number(attribute, value, 0, max);
        }

        private int word(
                final String attribute, final Map<String, Integer> words, final int byDefault) {
            return xml.attribute(attribute) == null ? byDefault : word(attribute, words);
        }

        /** A constant by its word, or by its number. */
        int word(final String attribute, final Map<String, Integer> words) {
            final String word = xml.needed(attribute).strip();
            final Integer value = words.get(word);
            if (value != null) {
                return value;
            }
            if (word.matches("\\d{1,3}") && words.containsValue(Integer.valueOf(word))) {
                return Integer.parseInt(word);
            }
            throw xml.error(
                    "%s=\"%s\" is not known; use one of %s"
                            .formatted(
                                    attribute,
                                    XmlFile.shown(word),
                                    words.keySet().stream()
                                            .sorted()
                                            .collect(Collectors.joining(", "))));
        }
    }

    /** The words of message files for the codec's constants. */
    private static final class Words {
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
}
