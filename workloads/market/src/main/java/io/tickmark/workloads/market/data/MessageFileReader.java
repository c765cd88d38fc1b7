package io.tickmark.workloads.market.data;

import com.refinitiv.eta.rdm.DomainTypes;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
                    "the <%s> that ends here cannot be sent (%s): a text in it is too long, or all of it"
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
}
