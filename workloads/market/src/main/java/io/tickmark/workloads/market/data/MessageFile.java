package io.tickmark.workloads.market.data;

import io.tickmark.kernel.settings.UserError;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The messages to send: for each domain one refresh, and updates, posts and generic messages that
 * follow each other in turn for each item. May be read by any thread, encoded by one: see {@link
 * Primitive}.
 */
public final class MessageFile {
    private static final String OWN = "/tickmark/market/MsgData.xml";

    private final String name;
    private final Map<Integer, Messages> byDomain;

    /**
     * The messages of a domain.
     *
     * @param refresh the image of every item
     * @param updates at least one
     * @param posts possibly none
     * @param generics possibly none
     */
    public record Messages(
            MessageTemplate refresh,
            List<MessageTemplate> updates,
            List<MessageTemplate> posts,
            List<MessageTemplate> generics) {
        /** Copies the lists. */
        public Messages {
            updates = List.copyOf(updates);
            posts = List.copyOf(posts);
            generics = List.copyOf(generics);
        }

        /**
         * The messages of a kind.
         *
         * @param kind any
         * @return in the order of the file
         */
        public List<MessageTemplate> of(final MessageKind kind) {
            return switch (kind) {
                case REFRESH -> List.of(refresh);
                case UPDATE -> updates;
                case POST -> posts;
                case GENERIC -> generics;
            };
        }
    }

    MessageFile(final String name, final Map<Integer, Messages> byDomain) {
        this.name = name;
        this.byDomain = Map.copyOf(byDomain);
    }

    /**
     * The message file that comes with tickmark.
     *
     * @param dictionary with the standard fields
     * @return the messages
     * @throws UserError if the dictionary lacks a field or has it with another type
     */
    public static MessageFile own(final FieldDictionary dictionary) {
        try (XmlFile xml =
                XmlFile.open(
                        "tickmark's own MsgData.xml", MessageFile.class.getResourceAsStream(OWN))) {
            return new MessageFileReader(xml, dictionary).read("tickmark's own MsgData.xml");
        }
    }

    /**
     * Reads a message file.
     *
     * @param file in the documented format
     * @param dictionary against which fields and types are checked
     * @return the messages
     * @throws UserError with file and line, if the file is not there or not right
     */
    public static MessageFile read(final Path file, final FieldDictionary dictionary) {
        try (XmlFile xml = XmlFile.open(file, "message file", "--message-file")) {
            return new MessageFileReader(xml, dictionary).read(file.toString());
        }
    }

    /**
     * Refuses a file that is not there.
     *
     * @param file to be read later
     * @throws UserError naming the file
     */
    public static void require(final Path file) {
        XmlFile.open(file, "message file", "--message-file").close();
    }

    /**
     * The messages of a domain.
     *
     * @param domainType one of {@link com.refinitiv.eta.rdm.DomainTypes}
     * @return the messages
     * @throws UserError if the file has none for it
     */
    public Messages messages(final int domainType) {
        final Messages messages = byDomain.get(domainType);
        if (messages == null) {
            throw UserError.usage(
                    "%s: there are no messages for the domain %s; add a list for it."
                            .formatted(
                                    name, com.refinitiv.eta.rdm.DomainTypes.toString(domainType)));
        }
        return messages;
    }

    /**
     * The domains that the file has messages for.
     *
     * @return of {@link com.refinitiv.eta.rdm.DomainTypes}, ascending
     */
    public List<Integer> domains() {
        return byDomain.keySet().stream().sorted().toList();
    }

    /**
     * Whether the file has messages for a domain.
     *
     * @param domainType one of {@link com.refinitiv.eta.rdm.DomainTypes}
     * @return true if {@link #messages} has an answer
     */
    public boolean has(final int domainType) {
        return byDomain.containsKey(domainType);
    }

    /**
     * Checks that there is something to send.
     *
     * @param domainType one of {@link com.refinitiv.eta.rdm.DomainTypes}
     * @param kind that is to be sent
     * @param option that asks for it
     * @throws UserError if the file has none
     */
    public void need(final int domainType, final MessageKind kind, final String option) {
        if (messages(domainType).of(kind).isEmpty()) {
            throw UserError.usage(
                    "%s: there is no <%s> for the domain %s, which %s needs; add one."
                            .formatted(
                                    name,
                                    kind.element(),
                                    com.refinitiv.eta.rdm.DomainTypes.toString(domainType),
                                    option));
        }
    }
}
