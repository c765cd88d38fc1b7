package io.tickmark.workloads.market.consumer;

import io.tickmark.kernel.settings.Defaults;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.market.DictionarySettings;
import io.tickmark.workloads.market.ItemDivision;
import io.tickmark.workloads.market.Peer;
import io.tickmark.workloads.market.measure.LatencyRate;
import io.tickmark.workloads.market.measure.OutputFiles;
import io.tickmark.workloads.market.measure.RunSettings;
import io.tickmark.workloads.market.rssl.Api;
import io.tickmark.workloads.market.rssl.Configured;
import io.tickmark.workloads.market.rssl.ConnectionSettings;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Settings of the consumer.
 *
 * @param api library to run on
 * @param host of the provider
 * @param port of the provider
 * @param standby server that takes over when the provider is gone
 * @param emaConfig configuration file of the Message API to be read
 * @param consumerName section of that file
 * @param serviceName service to request from
 * @param uname user name of the login
 * @param itemCount items requested, all threads together
 * @param commonItemCount of these, requested on every connection
 * @param itemFile item list
 * @param requestRate requests per second, all threads together
 * @param snapshot whether to ask for images only
 * @param primeJvm whether to ask for all images once before anything counts
 * @param steadyStateTime how long to measure once the last image has come, and how long to wait for
 *     it
 * @param delaySteadyStateCalc pause between the last image and the steady state
 * @param postingRate posts per second, all threads together
 * @param postingLatencyRate of these with a time stamp
 * @param genericMsgRate generic messages per second, all threads together
 * @param genericMsgLatencyRate of these with a time stamp
 * @param reconnectDelay between two attempts to connect
 * @param requestTimeout after which an unanswered request is sent again
 * @param measureDecode whether the time of decoding is recorded
 * @param nanoTime whether time stamps are sent in ns
 * @param files where the output goes
 * @param latencyFile each latency, the thread's number appended; empty for none
 * @param content messages and dictionary
 * @param run ticks and threads
 * @param connection buffers and protocol
 */
public record ConsumerSettings(
        @Setting(
                        help =
                                "Library to run on: the Transport API (eta) or the Enterprise Message API (ema).",
                        byDefault = "eta")
                Api api,
        @Setting(
                        help =
                                "Host of the provider (default: the hub or provider of the plan, else "
                                        + "EmaConfig.xml's, else 127.0.0.1).",
                        label = "HOST",
                        peers = {"market-hub", "market-provider"})
                String host,
        @Setting(
                        help =
                                "Port of the provider; 0 for the plan's, else EmaConfig.xml's, else 14002.",
                        byDefault = "0",
                        min = 0,
                        max = 65_535)
                int port,
        @Setting(
                        help =
                                "Warm standby: a second server of the service, which knows all requests and takes over"
                                        + " when the first is gone; needs --api ema.",
                        label = "HOST:PORT")
                String standby,
        @Setting(
                        help = "EmaConfig.xml for connection settings that no option gives.",
                        label = "FILE")
                String emaConfig,
        @Setting(
                        help = "Consumer section of EmaConfig.xml.",
                        byDefault = "Perf_Consumer_1",
                        label = "NAME")
                String consumerName,
        @Setting(
                        help = "Service to request items from; requests begin when it is up.",
                        byDefault = "DIRECT_FEED",
                        label = "NAME")
                String serviceName,
        @Setting(help = "User name of the login (default: the system's).", label = "NAME")
                String uname,
        @Setting(
                        help = "Items requested, all threads together.",
                        byDefault = "100000",
                        min = 1,
                        max = 10_000_000)
                int itemCount,
        @Setting(
                        help = "Of these, items that every connection requests.",
                        byDefault = "0",
                        min = 0,
                        max = 10_000_000)
                int commonItemCount,
        @Setting(
                        help = "Item list file (default: 350,000 items of tickmark's own).",
                        label = "FILE")
                String itemFile,
        @Setting(
                        help = "Requests per second, all threads together.",
                        byDefault = "35000",
                        min = 1,
                        max = 10_000_000)
                int requestRate,
        @Setting(help = "Request images only, and end when all have arrived.") boolean snapshot,
        @Setting(
                        help =
                                "Request all images once before measuring, so that the JVM compiles its code.")
                boolean primeJvm,
        @Setting(
                        help =
                                "How long to measure after the last image; also how long to wait for the last image.",
                        byDefault = "300s",
                        unit = "s",
                        min = 0,
                        max = 8.64e13)
                Duration steadyStateTime,
        @Setting(
                        help = "Pause between the last image and the steady state.",
                        byDefault = "0ms",
                        unit = "ms",
                        min = 0,
                        max = 3.6e12)
                Duration delaySteadyStateCalc,
        @Setting(
                        help =
                                "Posts per second, all threads together; 0 or at least the tick rate.",
                        byDefault = "0",
                        min = 0,
                        max = 10_000_000)
                int postingRate,
        @Setting(
                        help = "Of these, posts with a time stamp; or all.",
                        byDefault = "0",
                        label = "N|all")
                String postingLatencyRate,
        @Setting(
                        help =
                                "Generic messages per second, all threads together; 0 or at least the tick rate.",
                        byDefault = "0",
                        min = 0,
                        max = 10_000_000)
                int genericMsgRate,
        @Setting(
                        help = "Of these, generic messages with a time stamp; or all.",
                        byDefault = "0",
                        label = "N|all")
                String genericMsgLatencyRate,
        @Setting(
                        help = "Pause between two attempts to connect.",
                        byDefault = "1s",
                        unit = "s",
                        min = 1e7,
                        max = 3.6e12)
                Duration reconnectDelay,
        @Setting(
                        help = "Time after which an unanswered request is sent again; 0 for never.",
                        byDefault = "15s",
                        unit = "s",
                        min = 0,
                        max = 3.6e12)
                Duration requestTimeout,
        @Setting(help = "Record how long decoding takes.") boolean measureDecode,
        @Setting(
                        help =
                                "Send time stamps in ns instead of us; the unit of received ones is recognised.")
                boolean nanoTime,
        @Defaults({"summaryFile=ConsSummary.out", "statsFile=ConsStats"}) OutputFiles files,
        @Setting(
                        help =
                                "File of each latency; the thread's number and .csv are appended (default: none is "
                                        + "written).",
                        label = "FILE")
                String latencyFile,
        DictionarySettings content,
        RunSettings run,
        ConnectionSettings connection) {
    static final String POSTING_RATE = "--posting-rate";
    static final String GENERIC_MSG_RATE = "--generic-msg-rate";

    /** Checks rates and counts against each other. */
    public ConsumerSettings {
        api.require(connection);
        if (!standby.isEmpty()) {
            api.requireStandby();
            if (!standby.matches(".+:\\d{1,5}")) {
                throw UserError.usage("--standby \"%s\" is not a HOST:PORT.".formatted(standby));
            }
        }
        run.requireRate(POSTING_RATE, postingRate);
        run.requireRate(GENERIC_MSG_RATE, genericMsgRate);
        run.require(api);
        LatencyRate.parse(postingLatencyRate, postingRate, "--posting-latency-rate");
        LatencyRate.parse(genericMsgLatencyRate, genericMsgRate, "--generic-msg-latency-rate");
        ItemDivision.require(itemCount, run.threads().size(), commonItemCount);
    }

    /** The second server; empty where there is none. */
    Optional<Peer> standbyServer() {
        return standby.isEmpty() ? Optional.empty() : Optional.of(Peer.parse(standby));
    }

    /**
     * Connections.
     *
     * @return one for each thread
     */
    public int connections() {
        return run.threads().size();
    }

    /** Of time stamps that are sent. */
    TimeUnit stampUnit() {
        return nanoTime ? TimeUnit.NANOSECONDS : TimeUnit.MICROSECONDS;
    }

    /** What the user set, completed from the EmaConfig.xml that these settings name. */
    Configured configured() {
        return Configured.consumer(host, port, connection, content)
                .client(emaConfig, "Consumer", consumerName);
    }

    /** The same with what an EmaConfig.xml says of connection, service and dictionary. */
    ConsumerSettings with(final Configured from) {
        return Settings.with(
                this,
                Map.of(
                        "host", from.host(),
                        "port", from.port(),
                        "content", from.content(),
                        "connection", from.connection()));
    }
}
