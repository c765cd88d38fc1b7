package io.tickmark.cli.option;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.workloads.messaging.store.Stores;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * The tools of Ultra Messaging: {@code um_perf_pub}, {@code um_perf_sub}, {@code um_perf_jitter}
 * and {@code umestored}. Persistence is mapped to a store. Of configuration files it takes what
 * says where messages go (a multicast group and its interface) or are kept (a store's folders), and
 * names the rest.
 */
public final class UmPerfDialect {
    private static final String CHANNEL = "channel";
    private static final String PAGE = "um-perf.md";
    private static final String PERSIST = "persist";
    private static final String DELETION = "deletion";
    private static final String DEFAULT_STORE = "archive:";
    private static final String SEND_PATH = "sendPath";
    private static final String OFFER = "offer";

    /** Spellings that publisher and subscriber share, and those of either. */
    static final Map<String, String> SPELLINGS =
            Map.ofEntries(
                    Map.entry("-a", "core"),
                    Map.entry("-t", "topics"),
                    Map.entry("-m", "payloadBytes"),
                    Map.entry("-n", "messages"),
                    Map.entry("-r", "rate"),
                    Map.entry("-w", "warmUpMessages"),
                    Map.entry("-l", "lingerMs"),
                    Map.entry("-L", "lossPercent"),
                    Map.entry("-H", "sendHistogram"),
                    Map.entry("-s", "spinCount"),
                    Map.entry("-E", "exitAtEnd"));

    /** {@code um_perf_jitter}. */
    public static final Dialect JITTER =
            new Dialect() {
                @Override
                public Map<String, String> spellings() {
                    return Map.of(
                            "-a", "core", "-j", "loops", "-s", "spinCount", "-H", "histogram");
                }

                @Override
                public String page() {
                    return PAGE;
                }
            };

    /** {@code um_perf_pub}, and both sides in one command. */
    public static final Dialect STREAM = new Stream(false);

    /** {@code um_perf_sub}, which conforms to the kind of its source. */
    public static final Dialect SUBSCRIBER = new Stream(true);

    /** {@code umestored}. */
    public static final Dialect STORE = new Store();

    private UmPerfDialect() {}

    /** Which rule of deletion a kind of persistence means; empty for streaming. */
    private static String deletion(final String persist, final String option) {
        return switch (persist) {
            case "" -> "";
            case "r" -> "acknowledged";
            case "s" -> "kept";
            default ->
                    throw UserError.usage(
                            "%s %s: is not a kind of persistence; give r (receiver-paced) or s (source-paced)."
                                    .formatted(option, persist));
        };
    }

    /** Sets the rule of deletion of a store, unless the channel says another one. */
    private static String deleting(
            final String channel, final String deletion, final String persistence) {
        final ChannelUri uri = ChannelUri.parse(channel);
        final String given = uri.parameters().getOrDefault(DELETION, deletion);
        if (!given.equals(deletion)) {
            throw UserError.usage(
                    "%s: means deletion=%s, and %s says %s; give one of them."
                            .formatted(persistence, deletion, channel, given));
        }
        return uri.with(DELETION, deletion).toString();
    }

    /**
     * Library options of the streaming tools.
     *
     * @param persist {@code r} or {@code s}: a store is requested; empty for streaming
     * @param xmlConfig an Ultra Messaging XML configuration
     * @param config Ultra Messaging configuration files, later ones before earlier ones
     */
    record StreamOptions(
            @Setting(
                            help = "Persistence, receiver- (r) or source-paced (s).",
                            aliases = {"-p"},
                            label = "r|s")
                    String persist,
            @Setting(
                            help = "XML configuration of Ultra Messaging.",
                            aliases = {"-x"},
                            label = "FILE")
                    String xmlConfig,
            @Setting(
                            help = "Configuration file of Ultra Messaging; may be repeated.",
                            aliases = {"-c"},
                            label = "FILE")
                    List<String> config) {}

    /**
     * How the publisher of the tools passes messages to its library.
     *
     * @param generic a generic source, which copies each message; a smart one is {@code --send-path
     *     claim}
     */
    record SourceOptions(
            @Setting(
                            help = "The copying send path: --send-path offer.",
                            byDefault = "false",
                            aliases = {"-g"})
                    boolean generic) {}

    private record Stream(boolean isSubscriber) implements Dialect {
        @Override
        public Map<String, String> spellings() {
            return SPELLINGS;
        }

        @Override
        public String page() {
            return PAGE;
        }

        @Override
        public List<SettingDescriptor> options() {
            final List<SettingDescriptor> options =
                    new ArrayList<>(SettingDescriptor.of(StreamOptions.class));
            if (!isSubscriber) {
                options.addAll(SettingDescriptor.of(SourceOptions.class));
            }
            return options;
        }

        @Override
        public Map<String, Object> meant(
                final Map<String, Object> typed, final UnaryOperator<String> naming) {
            final Map<String, Object> meant = new LinkedHashMap<>(typed);
            final StreamOptions options = Dialect.take(StreamOptions.class, meant, naming);
            if (Dialect.take(SourceOptions.class, meant, naming).generic()) {
                copy(meant, naming);
            }
            final String deletion = deletion(options.persist(), naming.apply(PERSIST));
            final Optional<ContextFile> file = ContextFile.of(options);
            if (!deletion.isEmpty() && !isSubscriber) {
                meant.put(
                        CHANNEL,
                        stored(
                                naming.apply(PERSIST) + " " + options.persist(),
                                String.valueOf(typed.getOrDefault(CHANNEL, DEFAULT_STORE)),
                                deletion));
                meant.put(Stores.STORED, true);
            } else if (!typed.containsKey(CHANNEL)) {
                file.ifPresent(found -> meant.put(CHANNEL, found.channel()));
            }
            return meant;
        }

        @Override
        public List<String> notes(
                final Map<String, Object> typed, final UnaryOperator<String> naming) {
            final StreamOptions options =
                    Dialect.take(StreamOptions.class, new LinkedHashMap<>(typed), naming);
            final boolean isChannelGiven =
                    typed.containsKey(CHANNEL) || !options.persist().isEmpty() && !isSubscriber;
            return ContextFile.of(options).stream().map(file -> file.note(isChannelGiven)).toList();
        }

        private static void copy(
                final Map<String, Object> meant, final UnaryOperator<String> naming) {
            final Object given = meant.putIfAbsent(SEND_PATH, OFFER);
            if (given != null && !OFFER.equalsIgnoreCase(given.toString())) {
                throw UserError.usage(
                        "%s: means %s %s, and %s is given; leave one out."
                                .formatted(
                                        naming.apply("generic"),
                                        naming.apply(SEND_PATH),
                                        OFFER,
                                        given));
            }
        }

        /** Persistence requires a channel with a store, and determines when that deletes. */
        private static String stored(
                final String persistence, final String channel, final String deletion) {
            if (!Stores.canStore(ChannelUri.parse(channel))) {
                throw UserError.usage(
                        "%s: asks for a store, and %s has none; leave it out to stream, or give --store archive:."
                                .formatted(persistence, channel));
            }
            return deleting(channel, deletion, persistence);
        }
    }

    /**
     * Options of {@code umestored} in addition to its file, and the deletion that publishers will
     * ask for, which is not in that file.
     *
     * @param storeCores CPUs of its threads, one for each
     * @param persist {@code r}: messages are deleted once acknowledged; {@code s}, or empty: kept
     */
    record StoreOptions(
            @Setting(
                            help = "Cores to pin the store's threads to, in turn.",
                            aliases = {"-a"},
                            label = "CPU,...")
                    List<String> storeCores,
            @Setting(
                            help =
                                    "Persistence of its publishers, receiver- (r) or source-paced (s).",
                            aliases = {"-p"},
                            label = "r|s")
                    String persist) {}

    private static final class Store implements Dialect {
        private static final String CORES = "cores";
        private static final String DIRECTORY = "storeDirectory";

        @Override
        public Map<String, String> spellings() {
            return Map.of("-t", "topics");
        }

        @Override
        public List<String> positional() {
            return List.of(CHANNEL);
        }

        @Override
        public String page() {
            return PAGE;
        }

        @Override
        public List<SettingDescriptor> options() {
            return SettingDescriptor.of(StoreOptions.class);
        }

        @Override
        public Map<String, Object> meant(
                final Map<String, Object> typed, final UnaryOperator<String> naming) {
            final Map<String, Object> meant = new LinkedHashMap<>(typed);
            final StoreOptions options = Dialect.take(StoreOptions.class, meant, naming);
            String channel = String.valueOf(typed.getOrDefault(CHANNEL, DEFAULT_STORE));
            if (isFile(channel)) {
                final StoreFile file = StoreFile.read(Path.of(channel));
                channel = file.channel();
                meant.put(CHANNEL, channel);
                file.cache().ifPresent(folder -> meant.putIfAbsent(DIRECTORY, folder));
            }
            final String deletion = deletion(options.persist(), naming.apply(PERSIST));
            if (!deletion.isEmpty()) {
                channel =
                        deleting(
                                channel, deletion, naming.apply(PERSIST) + " " + options.persist());
                meant.put(CHANNEL, channel);
            }
            if (!options.storeCores().isEmpty()) {
                meant.put(
                        CHANNEL,
                        ChannelUri.parse(channel)
                                .with(CORES, String.join(",", options.storeCores()))
                                .toString());
            }
            return meant;
        }

        @Override
        public List<String> notes(
                final Map<String, Object> typed, final UnaryOperator<String> naming) {
            final String channel = String.valueOf(typed.getOrDefault(CHANNEL, ""));
            return isFile(channel) ? StoreFile.read(Path.of(channel)).notes(channel) : List.of();
        }

        private static boolean isFile(final String channel) {
            return channel.endsWith(".xml");
        }
    }

    /**
     * An option in a configuration file.
     *
     * @param scope name of the application or template that it belongs to; empty outside of them
     * @param isOfTopic whether it is for a single topic or store
     * @param name of the option
     * @param value as text
     * @param where file and line
     */
    private record Option(
            String scope, boolean isOfTopic, String name, String value, String where) {
        private static final int MOST_SHOWN = 10;

        /** A sentence about those that have no counterpart; none where there are none. */
        static Optional<String> passedOver(final List<Option> all) {
            if (all.isEmpty()) {
                return Optional.empty();
            }
            final int shown = Math.min(MOST_SHOWN, all.size());
            return Optional.of(
                    "What follows has no counterpart here and is ignored: "
                            + String.join(
                                    ", ",
                                    all.subList(0, shown).stream()
                                            .map(each -> "%s (%s)".formatted(each.name, each.where))
                                            .toList())
                            + (shown < all.size()
                                    ? " and %d more.".formatted(all.size() - shown)
                                    : "."));
        }
    }

    /**
     * An XML file of Ultra Messaging: its options in their order, and the template of each
     * application. Document types are refused, so nothing but the file is read.
     */
    private static final class XmlOptions {
        private static final long MOST_BYTES = 16L << 20;

        private final Path file;
        private final String root;
        private final List<Option> options = new ArrayList<>();
        private final Map<String, String> templates = new LinkedHashMap<>();
        private String scope = "";
        private int topicDepth;

        private XmlOptions(final Path file, final String root) {
            this.file = file;
            this.root = root;
        }

        static XmlOptions read(final Path file, final String root) {
            requireFile(file);
            final XmlOptions all = new XmlOptions(file, root);
            final XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
            factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
            factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
            try (InputStream in = Files.newInputStream(file)) {
                if (Files.size(file) > MOST_BYTES) {
                    throw UserError.usage(
                            file + ": is too large for a configuration; name another file.");
                }
                all.read(factory.createXMLStreamReader(in));
            } catch (final XMLStreamException | IOException e) {
                throw UserError.usage(
                        "%s: cannot be read as XML: %s; correct it, or leave it out and name a channel."
                                .formatted(
                                        file,
                                        e.getMessage().lines().findFirst().orElse("").strip()));
            }
            return all;
        }

        private void read(final XMLStreamReader reader) throws XMLStreamException {
            boolean isFirst = true;
            while (reader.hasNext()) {
                switch (reader.next()) {
                    case XMLStreamConstants.START_ELEMENT -> {
                        if (isFirst && !reader.getLocalName().equals(root)) {
                            throw UserError.usage(
                                    "%s: this is <%s>, not the <%s> such a file begins with; name another one."
                                            .formatted(file, reader.getLocalName(), root));
                        }
                        isFirst = false;
                        begin(reader);
                    }
                    case XMLStreamConstants.END_ELEMENT -> end(reader.getLocalName());
                    default -> {} // text and comments say nothing
                }
            }
        }

        private void begin(final XMLStreamReader reader) {
            final String element = reader.getLocalName();
            switch (element) {
                case "template", "application" -> {
                    scope = attribute(reader, "name");
                    if (element.equals("application")) {
                        templates.put(scope, attribute(reader, "template"));
                    }
                }
                case "topic", "store" -> {
                    topicDepth++;
                    for (int i = 0; i < reader.getAttributeCount(); i++) {
                        if (!reader.getAttributeLocalName(i).endsWith("name")) {
                            add(
                                    reader,
                                    reader.getAttributeLocalName(i),
                                    reader.getAttributeValue(i));
                        }
                    }
                }
                case "option" -> {
                    final String value = reader.getAttributeValue(null, "default-value");
                    add(
                            reader,
                            attribute(reader, "name"),
                            value == null ? attribute(reader, "value") : value);
                }
                default -> {} // what only groups others
            }
        }

        private void end(final String element) {
            switch (element) {
                case "template", "application" -> scope = "";
                case "topic", "store" -> topicDepth--;
                default -> {} // nothing began with it
            }
        }

        private void add(final XMLStreamReader reader, final String name, final String value) {
            final String where = "%s line %d".formatted(file, reader.getLocation().getLineNumber());
            options.add(new Option(scope, topicDepth > 0, name, value, where));
        }

        private static String attribute(final XMLStreamReader reader, final String name) {
            final String value = reader.getAttributeValue(null, name);
            return value == null ? "" : value.strip();
        }
    }

    private static void requireFile(final Path file) {
        if (!Files.isRegularFile(file)) {
            throw UserError.usage(
                    "%s: there is no such file; name the one that the command line is for, or leave it out and"
                                    .formatted(file)
                            + " name a channel of an engine that 'tickmark engines' lists, for example --channel aeron:ipc.");
        }
    }

    /**
     * Where a context sends and receives, from {@code -x} and {@code -c}: the group on which its
     * topics are resolved, which here carries the topics themselves, and the interface to it.
     *
     * @param files as typed
     * @param options those that count, later ones before earlier ones
     */
    private record ContextFile(String files, List<Option> options) {
        private static final String GROUP = "resolver_multicast_address";
        private static final String PORT = "resolver_multicast_port";
        private static final String INTERFACE = "resolver_multicast_interface";
        private static final List<String> TAKEN = List.of(GROUP, PORT, INTERFACE);

        /** Where its documentation puts topic resolution by default. */
        private static final String DEFAULT_PORT = "12965";

        static Optional<ContextFile> of(final StreamOptions typed) {
            final List<String> files = new ArrayList<>(typed.config());
            final List<Option> options = new ArrayList<>();
            typed.config().forEach(file -> options.addAll(0, flat(Path.of(file))));
            if (!typed.xmlConfig().isEmpty()) {
                files.add(typed.xmlConfig());
                options.addAll(0, ofApplication(typed));
            }
            return files.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new ContextFile(String.join(", ", files), options));
        }

        /** {@code -p} chooses among the applications of the file. */
        private static List<Option> ofApplication(final StreamOptions typed) {
            final XmlOptions xml = XmlOptions.read(Path.of(typed.xmlConfig()), "um-configuration");
            final String application =
                    switch (typed.persist()) {
                        case "r" -> "um_perf_rpp";
                        case "s" -> "um_perf_spp";
                        default -> "um_perf";
                    };
            final String template = xml.templates.get(application);
            if (template == null) {
                throw UserError.usage(
                        "%s: there is no application %s among %s; add it, or leave the file out and name a --channel."
                                .formatted(typed.xmlConfig(), application, xml.templates.keySet()));
            }
            final List<Option> found = new ArrayList<>();
            for (final String scope : (application + "," + template).split(",")) {
                xml.options.stream()
                        .filter(option -> option.scope().equals(scope.strip()))
                        .forEach(found::add);
            }
            return found;
        }

        /** Lines of a scope, a name and a value; {@code #} begins a comment. */
        private static List<Option> flat(final Path file) {
            requireFile(file);
            final List<Option> found = new ArrayList<>();
            try {
                int number = 0;
                for (final String line : Files.readAllLines(file)) {
                    number++;
                    final String[] words = line.replaceFirst("#.*", "").strip().split("\\s+", 3);
                    if (words.length == 3) {
                        found.addFirst(
                                new Option(
                                        "",
                                        !words[0].equals("context"),
                                        words[1],
                                        words[2],
                                        "%s line %d".formatted(file, number)));
                    } else if (!words[0].isEmpty()) {
                        throw UserError.usage(
                                "%s line %d: is not a scope, an option and its value; correct the line."
                                        .formatted(file, number));
                    }
                }
            } catch (final IOException e) {
                throw UserError.usage(
                        "%s: cannot be read (%s); name a text file."
                                .formatted(file, e.getMessage()));
            }
            return found;
        }

        private Optional<String> value(final String name) {
            return options.stream()
                    .filter(option -> !option.isOfTopic() && option.name().equals(name))
                    .map(Option::value)
                    .findFirst();
        }

        String channel() {
            final String group =
                    value(GROUP)
                            .orElseThrow(() ->
                                    UserError.usage(
                                            "%s: has no %s for the context; name a --channel."
                                                    .formatted(files, GROUP)));
            ChannelUri uri =
                    ChannelUri.parse("aeron:udp")
                            .with("endpoint", group + ":" + value(PORT).orElse(DEFAULT_PORT));
            final Optional<String> cable = value(INTERFACE);
            if (cable.isPresent()) {
                uri = uri.with("interface", cable.get());
            }
            return uri.toString();
        }

        String note(final boolean isChannelGiven) {
            if (isChannelGiven) {
                return files
                        + ": configures Ultra Messaging and is ignored; the channel says where messages go.";
            }
            final List<Option> others =
                    options.stream().filter(each -> !TAKEN.contains(each.name())).toList();
            return "%s: all topics go through %s. ".formatted(files, channel())
                    + Option.passedOver(others).orElse("");
        }
    }

    /** A store's file: the first store's folders. */
    private record StoreFile(List<Option> options) {
        private static final String CACHE = "disk-cache-directory";
        private static final String STATE = "disk-state-directory";

        static StoreFile read(final Path file) {
            return new StoreFile(XmlOptions.read(file, "ume-store").options);
        }

        private Optional<String> value(final String name) {
            return options.stream()
                    .filter(option -> option.name().equals(name))
                    .map(Option::value)
                    .findFirst();
        }

        Optional<String> cache() {
            return value(CACHE);
        }

        String channel() {
            final ChannelUri uri = ChannelUri.parse(DEFAULT_STORE);
            return value(STATE).map(folder -> uri.with("stateDir", folder)).orElse(uri).toString();
        }

        List<String> notes(final String file) {
            final List<String> taken = new ArrayList<>(List.of(CACHE, STATE));
            final List<String> notes = new ArrayList<>();
            notes.add(
                    ("%s: is one store on its own; several files make no quorum,"
                                    + " 'tickmark store %s?members=3' does.")
                            .formatted(file, DEFAULT_STORE));
            Option.passedOver(options.stream().filter(each -> !taken.remove(each.name())).toList())
                    .ifPresent(notes::add);
            return notes;
        }
    }
}
