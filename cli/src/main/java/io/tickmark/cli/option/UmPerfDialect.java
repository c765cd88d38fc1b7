package io.tickmark.cli.option;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.workloads.messaging.store.Stores;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The tools of Ultra Messaging: {@code um_perf_pub}, {@code um_perf_sub}, {@code um_perf_jitter}
 * and {@code umestored}. Persistence is mapped to a store; options that configure Ultra Messaging
 * itself are accepted in order to report that it is not available.
 */
public final class UmPerfDialect {
    private static final String CHANNEL = "channel";
    private static final String PAGE = "um-perf.md";
    private static final String CHANNELS_OF_OTHERS =
            "name a channel of an engine that 'tickmark engines' lists, for example ";

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
                    Map.entry("-g", "generic"),
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
            };

    /** {@code um_perf_pub} and {@code um_perf_sub}. */
    public static final Dialect STREAM = new Stream();

    /** {@code umestored}. */
    public static final Dialect STORE = new Store();

    private UmPerfDialect() {}

    /**
     * Library options of the streaming tools.
     *
     * @param persist {@code r} or {@code s}: a store is requested; empty for streaming
     * @param xmlConfig an Ultra Messaging XML configuration
     * @param config an Ultra Messaging configuration file
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

    private static final class Stream implements Dialect {
        private static final String DEFAULT_STORE = "archive:";
        private static final String DELETION = "deletion";

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
            return SettingDescriptor.of(StreamOptions.class);
        }

        @Override
        public Map<String, Object> meant(
                final Map<String, Object> typed, final UnaryOperator<String> naming) {
            final Map<String, Object> meant = new LinkedHashMap<>(typed);
            final StreamOptions options = Dialect.take(StreamOptions.class, meant, naming);
            final String persistence = naming.apply("persist") + " " + options.persist();
            if (!List.of("", "r", "s").contains(options.persist())) {
                throw UserError.usage(
                        persistence
                                + ": is not a kind of persistence; give r (receiver-paced) or s (source-paced).");
            }
            if (!options.xmlConfig().isEmpty()) {
                throw absent(naming.apply("xmlConfig") + " " + options.xmlConfig());
            }
            if (!options.config().isEmpty()) {
                throw absent(naming.apply("config") + " " + options.config().getFirst());
            }
            if (!options.persist().isEmpty()) {
                meant.put(
                        CHANNEL,
                        stored(
                                persistence,
                                String.valueOf(typed.getOrDefault(CHANNEL, DEFAULT_STORE)),
                                options.persist().equals("r") ? "acknowledged" : "kept"));
            }
            return meant;
        }

        private static UserError absent(final String option) {
            return UserError.environment(
                    "%s: this configures Ultra Messaging, whose engine is missing here; leave it out and %s--channel aeron:ipc."
                            .formatted(option, CHANNELS_OF_OTHERS));
        }

        /** Persistence requires a channel with a store, and determines when that deletes. */
        private static String stored(
                final String persistence, final String channel, final String deletion) {
            final ChannelUri uri = ChannelUri.parse(channel);
            if (!Stores.isStored(uri)) {
                throw UserError.usage(
                        "%s: asks for a store, and %s has none; leave it out to stream, or give --store archive:."
                                .formatted(persistence, channel));
            }
            final String given = uri.parameters().getOrDefault(DELETION, deletion);
            if (!given.equals(deletion)) {
                throw UserError.usage(
                        "%s: means deletion=%s, and %s says %s; give one of them."
                                .formatted(persistence, deletion, channel, given));
            }
            return uri.with(DELETION, deletion).toString();
        }
    }

    /**
     * Options of {@code umestored} in addition to its file.
     *
     * @param storeCores CPUs of its threads, one for each
     */
    record StoreOptions(
            @Setting(
                            help =
                                    "CPUs of the store's threads, in the order in which it has them.",
                            aliases = {"-a"},
                            label = "CPU,...")
                    List<String> storeCores) {}

    private static final class Store implements Dialect {
        private static final String CORES = "cores";

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
            final List<String> cores = Dialect.take(StoreOptions.class, meant, naming).storeCores();
            final String channel = String.valueOf(typed.getOrDefault(CHANNEL, "archive:"));
            if (channel.endsWith(".xml")) {
                throw UserError.environment(
                        ("%s: this configures a store of Ultra Messaging, whose engine is missing here;"
                                        + " %s'tickmark store archive:'.")
                                .formatted(channel, CHANNELS_OF_OTHERS));
            }
            if (!cores.isEmpty()) {
                meant.put(
                        CHANNEL,
                        ChannelUri.parse(channel).with(CORES, String.join(",", cores)).toString());
            }
            return meant;
        }
    }
}
