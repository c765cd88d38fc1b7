package io.tickmark.workloads.market.data;

import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.Qos;
import com.refinitiv.eta.codec.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Reads fields of a message file, each checked against the dictionary. */
final class FieldReader {
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
                    "data=\"...\" of a quality of service or state may only be empty; its parts"
                            + " are attributes of their own");
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
