package io.tickmark.workloads.market.rssl;

import io.tickmark.kernel.settings.Given;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.market.DictionarySettings;
import io.tickmark.workloads.market.rssl.ConnectionSettings.Compression;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
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
 * The configuration file of the Message API, as far as it describes connections and services:
 * consumers, providers, channels, servers, directories and dictionaries. Single-threaded.
 */
final class EmaConfig {
    private static final int MOST_SHOWN = 20;
    private static final int MOST_OF_16_BITS = 65_535;

    private final Path file;
    private final List<EmaSection> sections;
    private final List<String> unknown;
    private final List<EmaSection> inUse = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    EmaConfig(final Path file, final List<EmaSection> sections, final List<String> unknown) {
        this.file = file;
        this.sections = sections;
        this.unknown = unknown;
    }

    /**
     * Reads a file; document types and entities are refused.
     *
     * @throws UserError with the line, if it does not exist or is not such a file
     */
    static EmaConfig read(final Path file) {
        return EmaConfigReader.read(file);
    }

    /** A section by kind and name; a name without its number, or "_" and that, finds the first. */
    EmaSection section(final String kind, final String name) {
        final EmaSection found =
                find(kind, name)
                        .or(() -> find(kind, name + "1"))
                        .or(() -> find(kind, name + "_1"))
                        .orElseThrow(() ->
                                UserError.usage(
                                        "%s: there is no %s named %s; there are: %s."
                                                .formatted(file, kind, name, names(kind))));
        if (!inUse.contains(found)) {
            inUse.add(found);
        }
        return found;
    }

    private String names(final String kind) {
        return String.join(
                ", ",
                sections.stream()
                        .filter(each -> each.kind().equals(kind))
                        .map(EmaSection::name)
                        .toList());
    }

    private Optional<EmaSection> find(final String kind, final String name) {
        return sections.stream()
                .filter(each -> each.kind().equals(kind) && each.name().equals(name))
                .findFirst();
    }

    /**
     * The channel or server that a section refers to; of a set of channels the first.
     *
     * @throws UserError if it refers to none that exists
     */
    EmaSection referred(final EmaSection section, final String kind) {
        final String name =
                section.value(kind)
                        .or(() -> firstOfSet(section, kind))
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

    private Optional<String> firstOfSet(final EmaSection section, final String kind) {
        final Optional<String> set =
                kind.equals("Channel") ? section.value("ChannelSet") : Optional.empty();
        set.filter(names -> names.contains(","))
                .ifPresent(_ ->
                        unknown.add(
                                "all but the first of ChannelSet (line %d)"
                                        .formatted(section.line("ChannelSet"))));
        return set.map(names -> names.split(",")[0].strip());
    }

    /** Something in the file that the user should know of. */
    void warn(final String sentence) {
        warnings.add(sentence);
    }

    /**
     * Messages for the user, with one sentence about ignored elements of the file; to be called
     * after everything else was read.
     */
    List<String> warnings() {
        final List<String> ignored = new ArrayList<>();
        inUse.forEach(each -> ignored.addAll(each.ignored()));
        ignored.addAll(unknown);
        final List<String> all = new ArrayList<>(warnings);
        if (!ignored.isEmpty()) {
            final int shown = Math.min(MOST_SHOWN, ignored.size());
            all.add(
                    "%s: the following is not supported and ignored, everything else is used: %s%s."
                            .formatted(
                                    file,
                                    String.join(", ", ignored.subList(0, shown)),
                                    shown < ignored.size()
                                            ? " and %d more".formatted(ignored.size() - shown)
                                            : ""));
        }
        return all;
    }

    /** A port of a channel or server, 0 where it has none. */
    int port(final EmaSection section) {
        return number(section, "Port", 0, 0, MOST_OF_16_BITS);
    }

    /**
     * The service of the directory that a provider refers to, completed from what is given.
     *
     * @param owner a provider
     * @param given used where the file has nothing
     */
    Configured.Service service(final EmaSection owner, final Configured.Service given) {
        if (owner.value("Directory").isEmpty()) {
            return given;
        }
        final EmaSection directory = referred(owner, "Directory");
        final String key = "Service/InfoFilter/ServiceId";
        final int id = number(directory, key, given.id(), 0, MOST_OF_16_BITS);
        return new Configured.Service(directory.value("Service/Name").orElse(given.name()), id);
    }

    /**
     * The files of the dictionary that a consumer, or the service of a provider, refers to.
     *
     * @param owner a consumer or provider
     * @param isWanted false where the user has named others: then these need not be there
     * @return empty where it names none, or the one of the channel
     */
    Optional<DictionarySettings.Files> dictionary(final EmaSection owner, final boolean isWanted) {
        return dictionarySection(owner).flatMap(found -> files(found, isWanted));
    }

    private Optional<EmaSection> dictionarySection(final EmaSection owner) {
        if (owner.kind().equals("Consumer")) {
            return owner.value("Dictionary").map(name -> section("Dictionary", name));
        }
        if (owner.value("Directory").isEmpty()) {
            return Optional.empty();
        }
        final EmaSection directory = referred(owner, "Directory");
        final String info = "Service/InfoFilter/";
        final Optional<String> used =
                directory.value(info + "DictionariesUsed/DictionariesUsedEntry");
        return directory
                .value(info + "DictionariesProvided/DictionariesProvidedEntry")
                .or(() -> used)
                .map(name -> section("Dictionary", name));
    }

    private Optional<DictionarySettings.Files> files(
            final EmaSection dictionary, final boolean isWanted) {
        final Optional<String> fields = dictionary.value("RdmFieldDictionaryFileName");
        final Optional<String> enums = dictionary.value("EnumTypeDefFileName");
        dictionary.value("RdmFieldDictionaryItemName"); // the names that there are for the two
        dictionary.value("EnumTypeDefItemName");
        final String type = last(dictionary.value("DictionaryType").orElse(""));
        if (!isWanted) {
            return Optional.empty();
        }
        return switch (type) {
            case "FileDictionary" ->
                    Optional.of(
                            new DictionarySettings.Files(
                                    there(
                                            dictionary,
                                            "RdmFieldDictionaryFileName",
                                            fields.orElse("RDMFieldDictionary")),
                                    there(
                                            dictionary,
                                            "EnumTypeDefFileName",
                                            enums.orElse("enumtype.def"))));
            case "", "ChannelDictionary" -> Optional.empty();
            default ->
                    throw wrong(
                            dictionary, "DictionaryType", "FileDictionary or ChannelDictionary");
        };
    }

    private Path there(final EmaSection dictionary, final String key, final String name) {
        final Path path = Path.of(name);
        if (!Files.isRegularFile(path)) {
            throw UserError.usage(
                    ("%s line %d: %s of Dictionary %s is %s, and there is no such file; correct it, or name the "
                                    + "files with --field-dictionary and --enum-dictionary.")
                            .formatted(file, dictionary.line(key), key, dictionary.name(), path));
        }
        return path;
    }

    /**
     * Connection settings, completed from a channel or server.
     *
     * @param section a channel or server
     * @param owner the consumer or provider, for its dispatch counts
     * @param given what the user set
     */
    ConnectionSettings fill(
            final EmaSection section, final EmaSection owner, final ConnectionSettings given) {
        final ConnectionType inFile = type(section);
        // --websocket alone makes of the file's type the WebSocket of it, with TLS where that has
        // it
        final ConnectionType type = given.given().has("connection") ? given.connection() : inFile;
        final String protocols = section.value("WsProtocols").orElse("").replace(" ", "");
        final PemKeystore keys = keys(section, type, given);
        final Given by = given.given();
        return new ConnectionSettings(
                type,
                given.websocket().isEmpty() && type.isWebSocket() ? protocols : given.websocket(),
                keys.file(),
                keys.password(),
                or(by, "outputBuffers", given.outputBuffers(), section, "GuaranteedOutputBuffers"),
                or(by, "inputBuffers", given.inputBuffers(), section, "NumInputBuffers"),
                or(by, "maxFragmentBytes", given.maxFragmentBytes(), section, "MaxFragmentSize"),
                or(by, "highWaterMarkBytes", given.highWaterMarkBytes(), section, "HighWaterMark"),
                or(by, "socketSendBytes", given.socketSendBytes(), section, "SysSendBufSize"),
                or(by, "socketReceiveBytes", given.socketReceiveBytes(), section, "SysRecvBufSize"),
                compression(section, given),
                isOn(by, "tcpNoDelay", given.tcpNoDelay(), section, "TcpNodelay"),
                given.packing(),
                isOn(by, "directWrite", given.directWrite(), section, "DirectWrite"),
                dispatchCount(owner, given),
                by);
    }

    private int dispatchCount(final EmaSection owner, final ConnectionSettings given) {
        final String option = "maxDispatchCount";
        final int ofApi = number(owner, "MaxDispatchCountApiThread", 0, option);
        final int ofUser = number(owner, "MaxDispatchCountUserThread", ofApi, option);
        return given.given().has(option) ? given.maxDispatchCount() : ofUser;
    }

    /**
     * A keystore of the settings or the file, otherwise one created from the PEM files that it
     * names.
     */
    private PemKeystore keys(
            final EmaSection section, final ConnectionType type, final ConnectionSettings given) {
        final Optional<String> store = section.value("KeystoreFile");
        final Optional<String> password = section.value("KeystorePasswd");
        final Optional<String> trusted = section.value("OpenSSLCAStore");
        final Optional<String> certificate = section.value("ServerCert");
        final Optional<String> key = section.value("ServerPrivateKey");
        if (!given.keyFile().isEmpty() || store.isPresent() || !type.isEncrypted()) {
            return new PemKeystore(
                    given.keyFile().isEmpty() ? store.orElse("") : given.keyFile(),
                    given.keyPassword().isEmpty() ? password.orElse("") : given.keyPassword());
        }
        final String named = trusted.isPresent() ? "OpenSSLCAStore" : "ServerCert";
        try {
            if (trusted.isPresent()) {
                return PemKeystore.trusting(Path.of(trusted.get()));
            }
            if (certificate.isPresent()) {
                return PemKeystore.serving(
                        Path.of(certificate.get()), Path.of(key.orElse(certificate.get())));
            }
        } catch (final IllegalArgumentException e) {
            throw UserError.usage(
                    "%s line %d: %s of %s %s: %s."
                            .formatted(
                                    file,
                                    section.line(named),
                                    named,
                                    section.kind(),
                                    section.name(),
                                    e.getMessage()));
        }
        return new PemKeystore(given.keyFile(), given.keyPassword());
    }

    private int or(
            final Given options,
            final String option,
            final int value,
            final EmaSection section,
            final String key) {
        final int inFile = number(section, key, value, option);
        return options.has(option) ? value : inFile;
    }

    private boolean isOn(
            final Given options,
            final String option,
            final boolean value,
            final EmaSection section,
            final String key) {
        final int inFile = number(section, key, value ? 1 : 0, 0, 1);
        return options.has(option) ? value : inFile != 0;
    }

    /** A number for an option of a connection, in the range of that option. */
    private int number(
            final EmaSection section, final String key, final int otherwise, final String option) {
        final SettingDescriptor range =
                SettingDescriptor.of(ConnectionSettings.class).stream()
                        .filter(each -> each.key().equals(option))
                        .findFirst()
                        .orElseThrow();
        return number(section, key, otherwise, (int) range.min(), (int) range.max());
    }

    private int number(
            final EmaSection section,
            final String key,
            final int otherwise,
            final int min,
            final int max) {
        final String text = section.value(key).orElse("");
        if (text.isEmpty()) {
            return otherwise;
        }
        try {
            final int number = Integer.parseInt(text);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (final NumberFormatException _) {
            // reported below
        }
        throw wrong(section, key, "a number from %d to %d".formatted(min, max));
    }

    private UserError wrong(final EmaSection section, final String key, final String wanted) {
        return UserError.usage(
                "%s line %d: %s of %s %s is \"%s\"; it must be %s."
                        .formatted(
                                file,
                                section.line(key),
                                key.substring(key.lastIndexOf('/') + 1),
                                section.kind(),
                                section.name(),
                                section.value(key).orElse(""),
                                wanted));
    }

    private ConnectionType type(final EmaSection section) {
        final String key = section.kind().equals("Server") ? "ServerType" : "ChannelType";
        final boolean isWebSocketInside =
                last(section.value("EncryptedProtocolType").orElse("")).equals("RSSL_WEBSOCKET");
        return switch (last(section.value(key).orElse(""))) {
            case "", "RSSL_SOCKET" -> ConnectionType.SOCKET;
            case "RSSL_ENCRYPTED" ->
                    isWebSocketInside
                            ? ConnectionType.ENCRYPTED_WEBSOCKET
                            : ConnectionType.ENCRYPTED;
            case "RSSL_WEBSOCKET" -> ConnectionType.WEBSOCKET;
            case "RSSL_RELIABLE_MCAST" -> ConnectionType.RELIABLE_MCAST;
            default -> throw wrong(section, key, "RSSL_SOCKET, RSSL_ENCRYPTED or RSSL_WEBSOCKET");
        };
    }

    private Compression compression(final EmaSection section, final ConnectionSettings given) {
        final Compression inFile =
                switch (last(section.value("CompressionType").orElse(""))) {
                    case "", "None" -> Compression.NONE;
                    case "ZLib" -> Compression.ZLIB;
                    case "LZ4" -> Compression.LZ4;
                    default -> throw wrong(section, "CompressionType", "None, ZLib or LZ4");
                };
        return given.given().has("compression") ? given.compression() : inFile;
    }

    /** Values are written with the name of their list before them: ChannelType::RSSL_SOCKET. */
    private static String last(final String text) {
        return text.substring(text.lastIndexOf(':') + 1).strip();
    }

    /** Reads an EmaConfig.xml once from front to back; nothing outside of the file is ever read. */
    private static final class EmaConfigReader {
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
                            "%s: this file is larger than %d bytes, so it is not an EmaConfig.xml."
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
                        "%s line %d: this is not an EmaConfig.xml: %s"
                                .formatted(
                                        file,
                                        e.getLocation() == null
                                                ? 1
                                                : e.getLocation().getLineNumber(),
                                        firstLine(e.getMessage())));
            }
        }

        private static String firstLine(final String text) {
            return text == null
                    ? ""
                    : text.strip().replaceAll("(?s)\\s*\\n.*Message: ", " ").strip();
        }

        private void parse() throws XMLStreamException {
            while (reader.hasNext()) {
                switch (reader.next()) {
                    case XMLStreamConstants.START_ELEMENT -> begin(reader.getLocalName());
                    case XMLStreamConstants.END_ELEMENT -> end();
                    case XMLStreamConstants.DTD, XMLStreamConstants.ENTITY_REFERENCE ->
                            throw new XMLStreamException(
                                    "document types and entities are not supported; remove them",
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

    /**
     * One section of an EmaConfig.xml: values by the path of their element. It records which were
     * read, so that ignored ones can be reported. Single-threaded.
     */
    static final class EmaSection {
        /** Values of default behaviour, so that a file that sets them is honoured. */
        private static final Map<String, String> DONE_ANYWAY =
                Map.ofEntries(
                        Map.entry("XmlTraceToStdout", "0"),
                        Map.entry("XmlTraceToFile", "0"),
                        Map.entry("ServerSharedSocket", "0"),
                        Map.entry("EnableSessionManagement", "0"),
                        Map.entry("Service/InfoFilter/IsSource", "1"),
                        Map.entry("Service/InfoFilter/SupportsQoSRange", "0"),
                        Map.entry("Service/InfoFilter/SupportsOutOfBandSnapshots", "0"),
                        Map.entry("Service/InfoFilter/AcceptingConsumerStatus", "0"),
                        Map.entry(
                                "Service/InfoFilter/QoS/QoSEntry/Timeliness",
                                "Timeliness::RealTime"),
                        Map.entry("Service/InfoFilter/QoS/QoSEntry/Rate", "Rate::TickByTick"),
                        Map.entry("Service/StateFilter/ServiceState", "1"),
                        Map.entry("Service/StateFilter/AcceptingRequests", "1"));

        private final String kind;
        private final int line;
        private final Map<String, Entry> entries = new LinkedHashMap<>();
        private final Map<String, Entry> repeated = new HashMap<>();
        private final Set<String> asked = new HashSet<>(Set.of("Name"));

        private record Entry(String value, int line) {}

        EmaSection(final String kind, final int line) {
            this.kind = kind;
            this.line = line;
        }

        void put(final String path, final String value, final int at) {
            final Entry entry = new Entry(value.strip(), at);
            if (entries.putIfAbsent(path, entry) != null) {
                repeated.putIfAbsent(path, entry);
            }
        }

        String kind() {
            return kind;
        }

        String name() {
            return entries.containsKey("Name") ? entries.get("Name").value() : "";
        }

        /** Where it begins. */
        int line() {
            return line;
        }

        /** The location of a value, or of the section where it has none. */
        int line(final String path) {
            return entries.containsKey(path) ? entries.get(path).line() : line;
        }

        /** A value, which is honoured from now on; empty where there is none. */
        Optional<String> value(final String path) {
            asked.add(path);
            return Optional.ofNullable(entries.get(path))
                    .map(Entry::value)
                    .filter(v -> !v.isEmpty());
        }

        /** Ignored elements, each once. */
        List<String> ignored() {
            final List<String> ignored = new ArrayList<>();
            entries.forEach((path, entry) -> {
                if (!asked.contains(path)
                        && !entry.value().isEmpty()
                        && !entry.value().equals(DONE_ANYWAY.get(path))) {
                    ignored.add(described(path, entry));
                }
            });
            repeated.forEach((path, entry) -> {
                if (asked.contains(path)) {
                    ignored.add("another " + described(path, entry));
                }
            });
            return ignored;
        }

        private String described(final String path, final Entry entry) {
            return "%s of %s %s (line %d)"
                    .formatted(
                            path.substring(path.lastIndexOf('/') + 1), kind, name(), entry.line());
        }
    }
}
