package io.tickmark.workloads.market.rssl;

import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Reads an EmaConfig.xml once from front to back; nothing outside of the file is ever read. */
final class EmaConfigReader {
    private static final long MAX_BYTES = 16L << 20;
    private static final int MAX_DEPTH = 32;
    private static final Set<String> SECTIONS =
            Set.of(
                    "Consumer",
                    "IProvider",
                    "NiProvider",
                    "Channel",
                    "Server",
                    "Directory",
                    "Dictionary");
    private static final Set<String> GROUPS =
            Set.of(
                    "ConsumerGroup",
                    "IProviderGroup",
                    "NiProviderGroup",
                    "ChannelGroup",
                    "ServerGroup",
                    "DirectoryGroup",
                    "DictionaryGroup");

    private final XMLStreamReader reader;
    private final List<EmaSection> sections = new ArrayList<>();
    private final List<String> unknown = new ArrayList<>();
    private final Deque<String> path = new ArrayDeque<>();
    private EmaSection open;
    private int depth;

    private EmaConfigReader(final InputStream in) throws XMLStreamException {
        final XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setXMLResolver(
                (publicId, systemId, base, namespace) -> InputStream.nullInputStream());
        reader = factory.createXMLStreamReader(in);
    }

    static EmaConfig read(final Path file) {
        if (!Files.isRegularFile(file)) {
            throw UserError.usage(
                    "%s: there is no such file; name an EmaConfig.xml with --ema-config."
                            .formatted(file));
        }
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw UserError.usage(
                        "%s: this file is larger than %d bytes and no EmaConfig.xml."
                                .formatted(file, MAX_BYTES));
            }
            try (InputStream in = Files.newInputStream(file)) {
                final EmaConfigReader read = new EmaConfigReader(in);
                read.parse();
                return new EmaConfig(file, read.sections, read.unknown);
            }
        } catch (final IOException e) {
            throw UserError.usage(
                    "%s: the file cannot be read: %s.".formatted(file, e.getMessage()));
        } catch (final XMLStreamException e) {
            throw UserError.usage(
                    "%s line %d: this is no EmaConfig.xml: %s"
                            .formatted(
                                    file,
                                    e.getLocation() == null ? 1 : e.getLocation().getLineNumber(),
                                    firstLine(e.getMessage())));
        }
    }

    private static String firstLine(final String text) {
        return text == null ? "" : text.strip().replaceAll("(?s)\\s*\\n.*Message: ", " ").strip();
    }

    private void parse() throws XMLStreamException {
        while (reader.hasNext()) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> begin(reader.getLocalName());
                case XMLStreamConstants.END_ELEMENT -> end();
                case XMLStreamConstants.DTD, XMLStreamConstants.ENTITY_REFERENCE ->
                        throw new XMLStreamException(
                                "document types and entities are not read; take them out",
                                reader.getLocation());
                default -> {}
            }
        }
    }

    private void begin(final String element) throws XMLStreamException {
        if (++depth > MAX_DEPTH) {
            throw new XMLStreamException("elements too deep", reader.getLocation());
        }
        if (depth == 1 && !element.equals("EmaConfig")) {
            throw new XMLStreamException(
                    "it begins with <%s> and not with <EmaConfig>".formatted(element),
                    reader.getLocation());
        }
        final int line = reader.getLocation().getLineNumber();
        if (depth == 2 && !GROUPS.contains(element)) {
            unknown.add("%s (line %d)".formatted(element, line));
        }
        final String value = reader.getAttributeValue(null, "value");
        if (open != null) {
            path.addLast(element);
            if (value != null) {
                open.put(String.join("/", path), value, line);
            }
        } else if (value == null && SECTIONS.contains(element)) {
            open = new EmaSection(element, line);
            sections.add(open);
        }
    }

    private void end() {
        depth--;
        if (path.isEmpty()) {
            open = null;
        } else {
            path.removeLast();
        }
    }
}
