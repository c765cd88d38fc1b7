package io.tickmark.cli.option;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.SettingDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The performance tools of the market-data libraries: consumer, interactive and non-interactive
 * provider, and the test of the transport alone.
 */
public final class EmaPerfDialect {
    private static final String FILE = "emaConfig";
    private static final String DEFAULT_FILE = "EmaConfig.xml";

    /**
     * How they name a service.
     *
     * @param useServiceId without effect: messages name the service by its id in any case
     */
    record ServiceName(
            @Setting(
                            help = "Without effect: messages name the service by its id.",
                            byDefault = "0",
                            min = 0,
                            max = 1)
                    int useServiceId) {}

    /**
     * What a publisher could measure if it received anything.
     *
     * @param measureDecode without effect: a publisher decodes nothing
     */
    record Decoding(
            @Setting(help = "Without effect: a publisher decodes nothing.")
                    boolean measureDecode) {}

    /** {@code IProvPerf}. */
    public static final Dialect PROVIDER =
            spelling(
                    Map.ofEntries(
                            Map.entry("-apiThreads", "apiThreads"),
                            Map.entry("-c", "connection"),
                            Map.entry("-commonItemCount", "commonItemCount"),
                            Map.entry("-connectionType", "connection"),
                            Map.entry("-consumerName", "consumerName"),
                            Map.entry("-delaySteadyStateCalc", "delaySteadyStateCalc"),
                            Map.entry("-emaConfigFile", FILE),
                            Map.entry("-genericMsgLatencyRate", "genericMsgLatencyRate"),
                            Map.entry("-genericMsgRate", "genericMsgRate"),
                            Map.entry("-h", "host"),
                            Map.entry("-highWaterMark", "highWaterMarkBytes"),
                            Map.entry("-if", "bindAddress"),
                            Map.entry("-inputBufs", "inputBuffers"),
                            Map.entry("-itemCount", "itemCount"),
                            Map.entry("-itemFile", "itemFile"),
                            Map.entry("-keyfile", "keyFile"),
                            Map.entry("-keypasswd", "keyPassword"),
                            Map.entry("-latencyFile", "latencyFile"),
                            Map.entry("-latencyUpdateRate", "latencyUpdateRate"),
                            Map.entry("-mainThread", "mainThread"),
                            Map.entry("-maxFragmentSize", "maxFragmentBytes"),
                            Map.entry("-measureDecode", "measureDecode"),
                            Map.entry("-measureEncode", "measureEncode"),
                            Map.entry("-msgFile", "messageFile"),
                            Map.entry("-nanoTime", "nanoTime"),
                            Map.entry("-noDisplayStats", "noDisplayStats"),
                            Map.entry("-outputBufs", "outputBuffers"),
                            Map.entry("-p", "port"),
                            Map.entry("-postingLatencyRate", "postingLatencyRate"),
                            Map.entry("-postingRate", "postingRate"),
                            Map.entry("-preEnc", "preEnc"),
                            Map.entry("-primeJVM", "primeJvm"),
                            Map.entry("-providerName", "providerName"),
                            Map.entry("-recvBufSize", "socketReceiveBytes"),
                            Map.entry("-refreshBurstSize", "refreshBurstSize"),
                            Map.entry("-requestRate", "requestRate"),
                            Map.entry("-runTime", "runTime"),
                            Map.entry("-sendBufSize", "socketSendBytes"),
                            Map.entry("-serviceId", "serviceId"),
                            Map.entry("-serviceName", "serviceName"),
                            Map.entry("-snapshot", "snapshot"),
                            Map.entry("-statsFile", "statsFile"),
                            Map.entry("-steadyStateTime", "steadyStateTime"),
                            Map.entry("-summaryFile", "summaryFile"),
                            Map.entry("-threads", "threads"),
                            Map.entry("-tickRate", "tickRate"),
                            Map.entry("-uname", "uname"),
                            Map.entry("-updateRate", "updateRate"),
                            Map.entry("-useServiceId", "useServiceId"),
                            Map.entry("-useUserDispatch", "useUserDispatch"),
                            Map.entry("-websocket", "websocket"),
                            Map.entry("-workerThreads", "workerThreads"),
                            Map.entry("-writeStatsInterval", "writeStatsInterval")),
                    List.of());

    /** {@code ConsPerf}. */
    public static final Dialect CONSUMER =
            spelling(PROVIDER.spellings(), List.of(ServiceName.class));

    /** {@code NIProvPerf}. */
    public static final Dialect PUBLISHER =
            spelling(PROVIDER.spellings(), List.of(ServiceName.class, Decoding.class));

    /** The hub between these tools: it shares their spellings, but stands for none of them. */
    public static final Dialect HUB =
            new Dialect() {
                @Override
                public Map<String, String> spellings() {
                    return PROVIDER.spellings();
                }

                @Override
                public Map<String, Object> meant(
                        final Map<String, Object> typed, final UnaryOperator<String> naming) {
                    return PROVIDER.meant(typed, naming);
                }
            };

    /** {@code TransportPerf}: of the same connection, with a length and a rate of messages. */
    public static final Dialect TRANSPORT =
            spelling(
                    with(
                            PROVIDER.spellings(),
                            Map.of(
                                    "-msgSize",
                                    "payloadBytes",
                                    "-msgRate",
                                    "rate",
                                    "-runTime",
                                    "duration")),
                    List.of());

    /** A keystore for them, by their own names for it. */
    public static final Dialect CERTIFICATE =
            spelling(
                    Map.ofEntries(
                            Map.entry("-keyfile", "out"), Map.entry("-keypasswd", "keyPassword")),
                    List.of());

    private EmaPerfDialect() {}

    private static Map<String, String> with(
            final Map<String, String> spellings, final Map<String, String> others) {
        final Map<String, String> all = new HashMap<>(spellings);
        all.putAll(others);
        return Map.copyOf(all);
    }

    /** A tool's spellings, and what it accepts without effect. */
    private static Dialect spelling(
            final Map<String, String> spellings,
            final List<Class<? extends Record>> withoutEffect) {
        return new Dialect() {
            @Override
            public Map<String, String> spellings() {
                return spellings;
            }

            @Override
            public String page() {
                return "ema-performance-tools.md";
            }

            @Override
            public List<SettingDescriptor> options() {
                return withoutEffect.stream()
                        .flatMap(options -> SettingDescriptor.of(options).stream())
                        .toList();
            }

            /** Naming a section implies the file that these tools read from the current folder. */
            @Override
            public Map<String, Object> meant(
                    final Map<String, Object> typed, final UnaryOperator<String> naming) {
                final Map<String, Object> meant = new LinkedHashMap<>(typed);
                for (final Class<? extends Record> options : withoutEffect) {
                    Dialect.take(options, meant, naming); // refuses a value that is none
                }
                final boolean isSectionNamed =
                        typed.containsKey("consumerName") || typed.containsKey("providerName");
                if (!isSectionNamed
                        || typed.containsKey(FILE)
                        || !Files.isRegularFile(Path.of(DEFAULT_FILE))) {
                    return meant;
                }
                meant.put(FILE, DEFAULT_FILE);
                return meant;
            }
        };
    }
}
