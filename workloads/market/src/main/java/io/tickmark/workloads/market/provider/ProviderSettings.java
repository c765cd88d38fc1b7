package io.tickmark.workloads.market.provider;

import io.tickmark.kernel.settings.Defaults;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.workloads.market.DictionarySettings;
import io.tickmark.workloads.market.measure.LatencyRate;
import io.tickmark.workloads.market.measure.OutputFiles;
import io.tickmark.workloads.market.measure.RunSettings;
import io.tickmark.workloads.market.rssl.Api;
import io.tickmark.workloads.market.rssl.Configured;
import io.tickmark.workloads.market.rssl.ConnectionSettings;
import io.tickmark.workloads.market.rssl.QueueSettings;
import io.tickmark.workloads.market.source.SourceSettings;
import java.util.List;
import java.util.Map;

/**
 * Settings of the interactive provider.
 *
 * @param api library to run on
 * @param bindAddress interface to listen on
 * @param port to listen on
 * @param emaConfig configuration file of the Message API to be read
 * @param providerName section of that file
 * @param serviceName service it provides
 * @param serviceId id of the service
 * @param genericMsgRate generic messages per second on each connection
 * @param genericMsgLatencyRate of these with a time stamp
 * @param endWithConsumers whether it ends once every consumer that connected has disconnected
 * @param queue how much is kept for slow consumers
 * @param source what it sends
 * @param measureDecode whether the time of decoding is recorded
 * @param files where the output goes
 * @param latencyFile each latency of generic messages, the thread's number appended; empty for none
 * @param content messages and dictionary
 * @param run ticks and threads
 * @param connection buffers and protocol
 */
public record ProviderSettings(
        @Setting(
                        help =
                                "Library to run on: the Transport API (eta) or the Enterprise Message API (ema).",
                        byDefault = "eta")
                Api api,
        @Setting(
                        help = "Address to listen on; 0.0.0.0 for all of this host.",
                        byDefault = "127.0.0.1",
                        label = "ADDRESS")
                String bindAddress,
        @Setting(
                        help =
                                "Port to listen on; 0 for any, which is passed to the other roles of a plan.",
                        byDefault = "14002",
                        min = 0,
                        max = 65_535)
                int port,
        @Setting(
                        help = "EmaConfig.xml for connection settings that no option gives.",
                        label = "FILE")
                String emaConfig,
        @Setting(
                        help = "Provider section of EmaConfig.xml.",
                        byDefault = "Perf_Provider_1",
                        label = "NAME")
                String providerName,
        @Setting(help = "Service to provide.", byDefault = "DIRECT_FEED", label = "NAME")
                String serviceName,
        @Setting(help = "Id of the service.", byDefault = "1", min = 0, max = 65_535) int serviceId,
        @Setting(
                        help =
                                "Generic messages per second on each connection; 0 or at least the tick rate.",
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
                        help =
                                "End once every consumer that connected has gone, before the run time is over.")
                boolean endWithConsumers,
        QueueSettings queue,
        SourceSettings source,
        @Setting(help = "Record how long decoding takes.") boolean measureDecode,
        @Defaults({"summaryFile=IProvSummary.out", "statsFile=ProvStats"}) OutputFiles files,
        @Setting(
                        help =
                                "File of each latency of generic messages; the thread's number and .csv are appended "
                                        + "(default: none is written).",
                        label = "FILE")
                String latencyFile,
        DictionarySettings content,
        RunSettings run,
        ConnectionSettings connection) {
    /** Checks the rates against each other. */
    public ProviderSettings {
        api.requireProviderThreads(run.threads().size());
        api.require(connection);
        source.require(api);
        run.requireRate("--update-rate", source.updateRate());
        run.requireRate("--generic-msg-rate", genericMsgRate);
        run.require(api);
        LatencyRate.parse(genericMsgLatencyRate, genericMsgRate, "--generic-msg-latency-rate");
    }

    long genericLatencyRate() {
        return LatencyRate.parse(
                genericMsgLatencyRate, genericMsgRate, "--generic-msg-latency-rate");
    }

    /** What the user set, completed from the EmaConfig.xml that these settings name. */
    Configured configured() {
        return new Configured(
                        bindAddress,
                        port,
                        connection,
                        new Configured.Service(serviceName, serviceId),
                        content,
                        List.of())
                .server(emaConfig, providerName);
    }

    /** The same with what an EmaConfig.xml says of connection, service and dictionary. */
    ProviderSettings with(final Configured from) {
        return Settings.with(
                this,
                Map.of(
                        "bindAddress", from.host(),
                        "port", from.port(),
                        "serviceName", from.service().name(),
                        "serviceId", from.service().id(),
                        "content", from.content(),
                        "connection", from.connection()));
    }
}
