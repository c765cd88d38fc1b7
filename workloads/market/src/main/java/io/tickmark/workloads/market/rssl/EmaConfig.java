package io.tickmark.workloads.market.rssl;

import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * The configuration file of the Message API, as far as it says how to connect: consumers,
 * providers, channels, servers and dictionaries, each a list of names and values.
 */
public final class EmaConfig {
    private static final long MAX_BYTES = 16L << 20;
    private static final int MAX_DEPTH = 32;
    private static final Set<String> SECTIONS =
            Set.of("Consumer", "IProvider", "NiProvider", "Channel", "Server", "Dictionary");

    private final Path file;
    private final List<Section> sections;

    /**
     * One section.
     *
     * @param kind its element
     * @param values by name
     * @param line where it begins
     */
    public record Section(String kind, Map<String, String> values, int line) {
        String name() {
            return values.getOrDefault("Name", "");
        }

        /**
         * A value.
         *
         * @param key its element
         * @return the value, empty where the section has none
         */
        public Optional<String> value(final String key) {
            return Optional.ofNullable(values.get(key));
        }
    }

    private EmaConfig(final Path file, final List<Section> sections) {
        this.file = file;
        this.sections = sections;
    }

    /**
     * Reads a file; external entities are off.
     *
     * @param file to read
     * @return what it says
     * @throws UserError with the line, if it is not there or no such file
     */
    public static EmaConfig read(final Path file) {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw UserError.usage(
                        "%s: this file is larger than %d bytes and no EmaConfig.xml."
                                .formatted(file, MAX_BYTES));
            }
            try (InputStream in = Files.newInputStream(file)) {
                return new EmaConfig(file, parse(in));
            }
        } catch (final IOException e) {
            throw UserError.usage(
                    "%s: there is no such file, or it cannot be read; name an EmaConfig.xml with --ema-config."
                            .formatted(file));
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

    private static List<Section> parse(final InputStream in) throws XMLStreamException {
        final XMLInputFactory factory = XMLInputFactory.newInstance();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        final XMLStreamReader reader = factory.createXMLStreamReader(in);
        final List<Section> sections = new ArrayList<>();
        Section open = null;
        int depth = 0;
        while (reader.hasNext()) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    if (++depth > MAX_DEPTH) {
                        throw new XMLStreamException("elements too deep", reader.getLocation());
                    }
                    final String value = reader.getAttributeValue(null, "value");
                    if (open == null && value == null && SECTIONS.contains(reader.getLocalName())) {
                        open =
                                new Section(
                                        reader.getLocalName(),
                                        new LinkedHashMap<>(),
                                        reader.getLocation().getLineNumber());
                        sections.add(open);
                    } else if (open != null && value != null) {
                        open.values().put(reader.getLocalName(), value.strip());
                    }
                }
                case XMLStreamConstants.END_ELEMENT -> {
                    depth--;
                    if (open != null && reader.getLocalName().equals(open.kind())) {
                        open = null;
                    }
                }
                default -> {}
            }
        }
        return sections;
    }

    /**
     * A section by kind and name; a name without its number finds the first one.
     *
     * @param kind such as {@code Consumer}
     * @param name as the user says it
     * @return the section
     * @throws UserError if there is none, with the names there are
     */
    public Section section(final String kind, final String name) {
        return find(kind, name)
                .or(() -> find(kind, name + "1"))
                .orElseThrow(() ->
                        UserError.usage(
                                "%s: there is no %s named %s; there are: %s."
                                        .formatted(
                                                file,
                                                kind,
                                                name,
                                                String.join(
                                                        ", ",
                                                        sections.stream()
                                                                .filter(each ->
                                                                        each.kind().equals(kind))
                                                                .map(Section::name)
                                                                .toList()))));
    }

    private Optional<Section> find(final String kind, final String name) {
        return sections.stream()
                .filter(each -> each.kind().equals(kind) && each.name().equals(name))
                .findFirst();
    }

    /**
     * The channel or server that a section refers to.
     *
     * @param section a consumer or provider
     * @param kind {@code Channel} or {@code Server}
     * @return the section referred to
     * @throws UserError if it refers to none that is there
     */
    public Section referred(final Section section, final String kind) {
        final String name =
                section.value(kind)
                        .orElseThrow(() ->
                                UserError.usage(
                                        "%s line %d: the %s %s names no %s; add <%s value=\"...\"/>."
                                                .formatted(
                                                        file,
                                                        section.line(),
                                                        section.kind(),
                                                        section.name(),
                                                        kind,
                                                        kind)));
        return section(kind, name);
    }

    /**
     * A port of a section.
     *
     * @param section a channel or server
     * @return 0 where it says none
     */
    public int port(final Section section) {
        return number(section, "Port", 0);
    }

    /**
     * Connection settings, filled in from a channel or server where they say nothing.
     *
     * @param section a channel or server
     * @param owner the consumer or provider, for its dispatch counts
     * @param given what the user set
     * @return settings
     */
    public ConnectionSettings fill(
            final Section section, final Section owner, final ConnectionSettings given) {
        final ConnectionType type =
                given.connection() == ConnectionType.SOCKET ? type(section) : given.connection();
        return new ConnectionSettings(
                type,
                given.websocket().isEmpty() && type.isWebSocket()
                        ? section.value("WsProtocols").orElse("").replace(" ", "")
                        : given.websocket(),
                given.keyFile().isEmpty()
                        ? section.value("KeystoreFile").orElse("")
                        : given.keyFile(),
                given.keyPassword().isEmpty()
                        ? section.value("KeystorePasswd").orElse("")
                        : given.keyPassword(),
                or(given.outputBuffers(), section, "GuaranteedOutputBuffers"),
                or(given.inputBuffers(), section, "NumInputBuffers"),
                or(given.maxFragmentBytes(), section, "MaxFragmentSize"),
                or(given.highWaterMarkBytes(), section, "HighWaterMark"),
                or(given.socketSendBytes(), section, "SysSendBufSize"),
                or(given.socketReceiveBytes(), section, "SysRecvBufSize"),
                given.compression() == Compression.NONE
                        ? compression(section)
                        : given.compression(),
                given.tcpNoDelay() && number(section, "TcpNodelay", 1) == 1,
                given.packing(),
                given.directWrite(),
                or(
                        given.maxDispatchCount(),
                        owner,
                        owner.values().containsKey("MaxDispatchCountUserThread")
                                ? "MaxDispatchCountUserThread"
                                : "MaxDispatchCountApiThread"));
    }

    private int or(final int given, final Section section, final String key) {
        return given != 0 ? given : number(section, key, 0);
    }

    private int number(final Section section, final String key, final int otherwise) {
        final String text = section.value(key).orElse("");
        if (text.isEmpty()) {
            return otherwise;
        }
        try {
            return Integer.parseInt(text);
        } catch (final NumberFormatException e) {
            throw UserError.usage(
                    "%s line %d: %s of %s %s is \"%s\"; it must be a number."
                            .formatted(
                                    file,
                                    section.line(),
                                    key,
                                    section.kind(),
                                    section.name(),
                                    text));
        }
    }

    private ConnectionType type(final Section section) {
        final String word =
                last(section.value("ChannelType").or(() -> section.value("ServerType")).orElse(""));
        final boolean isWebSocketInside =
                last(section.value("EncryptedProtocolType").orElse("")).equals("RSSL_WEBSOCKET");
        return switch (word) {
            case "", "RSSL_SOCKET" -> ConnectionType.SOCKET;
            case "RSSL_ENCRYPTED" ->
                    isWebSocketInside
                            ? ConnectionType.ENCRYPTED_WEBSOCKET
                            : ConnectionType.ENCRYPTED;
            case "RSSL_WEBSOCKET" -> ConnectionType.WEBSOCKET;
            case "RSSL_RELIABLE_MCAST" -> ConnectionType.RELIABLE_MCAST;
            default ->
                    throw UserError.usage(
                            "%s line %d: the type %s is not known; use RSSL_SOCKET, RSSL_ENCRYPTED or RSSL_WEBSOCKET."
                                    .formatted(file, section.line(), word));
        };
    }

    private Compression compression(final Section section) {
        return switch (last(section.value("CompressionType").orElse(""))) {
            case "", "None" -> Compression.NONE;
            case "ZLib" -> Compression.ZLIB;
            case "LZ4" -> Compression.LZ4;
            default ->
                    throw UserError.usage(
                            "%s line %d: CompressionType is \"%s\"; it must be None, ZLib or LZ4."
                                    .formatted(
                                            file,
                                            section.line(),
                                            section.value("CompressionType").orElse("")));
        };
    }

    /** Values are written with the name of their list before them: ChannelType::RSSL_SOCKET. */
    private static String last(final String text) {
        return text.substring(text.lastIndexOf(':') + 1).strip();
    }
}
