package io.tickmark.workloads.market.publisher;

import io.tickmark.kernel.settings.Defaults;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.workloads.market.DictionarySettings;
import io.tickmark.workloads.market.ItemDivision;
import io.tickmark.workloads.market.measure.OutputFiles;
import io.tickmark.workloads.market.measure.RunSettings;
import io.tickmark.workloads.market.rssl.Api;
import io.tickmark.workloads.market.rssl.Configured;
import io.tickmark.workloads.market.rssl.ConnectionSettings;
import io.tickmark.workloads.market.source.SourceSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Settings of the non-interactive provider.
 *
 * @param api library to run on
 * @param host of the hub
 * @param port of the hub
 * @param emaConfig configuration file of the Message API to be read
 * @param providerName section of that file
 * @param serviceName service it publishes
 * @param serviceId id of the service
 * @param uname user name of the login
 * @param itemCount items published, all threads together
 * @param commonItemCount of these, published on every connection
 * @param itemFile item list
 * @param reconnectDelay between two attempts to connect
 * @param endWithHub whether a hub that disconnects ends the run without a failure
 * @param source what it sends
 * @param files where the output goes
 * @param content messages and dictionary
 * @param run ticks and threads
 * @param connection buffers and protocol
 */
public record PublisherSettings(
        @Setting(
                        help =
                                "Library to run on: the Transport API (eta) or the Enterprise Message API (ema).",
                        byDefault = "eta")
                Api api,
        @Setting(
                        help =
                                "Host of the hub (default: the hub of the plan, else EmaConfig.xml's, else "
                                        + "127.0.0.1).",
                        label = "HOST",
                        peers = "market-hub")
                String host,
        @Setting(
                        help =
                                "Port of the hub; 0 for the plan's, else EmaConfig.xml's, else 14003.",
                        byDefault = "0",
                        min = 0,
                        max = 65_535)
                int port,
        @Setting(
                        help = "EmaConfig.xml for connection settings that no option gives.",
                        label = "FILE")
                String emaConfig,
        @Setting(
                        help = "NiProvider section of EmaConfig.xml.",
                        byDefault = "Perf_NIProvider_1",
                        label = "NAME")
                String providerName,
        @Setting(help = "Service to publish.", byDefault = "DIRECT_FEED", label = "NAME")
                String serviceName,
        @Setting(help = "Id of the service.", byDefault = "1", min = 0, max = 65_535) int serviceId,
        @Setting(help = "User name of the login (default: the system's).", label = "NAME")
                String uname,
        @Setting(
                        help = "Items published, all threads together.",
                        byDefault = "100000",
                        min = 1,
                        max = 10_000_000)
                int itemCount,
        @Setting(
                        help = "Of these, items that every connection publishes.",
                        byDefault = "0",
                        min = 0,
                        max = 10_000_000)
                int commonItemCount,
        @Setting(
                        help = "Item list file (default: 350,000 items of tickmark's own).",
                        label = "FILE")
                String itemFile,
        @Setting(
                        help = "Pause between two attempts to connect.",
                        byDefault = "1s",
                        unit = "s",
                        min = 1e7,
                        max = 3.6e12)
                Duration reconnectDelay,
        @Setting(help = "A hub that disconnects ends the run without a failure.")
                boolean endWithHub,
        SourceSettings source,
        @Defaults({"summaryFile=NIProvSummary.out", "statsFile=NIProvStats"}) OutputFiles files,
        DictionarySettings content,
        RunSettings run,
        ConnectionSettings connection) {
    /** Checks rates and counts against each other. */
    public PublisherSettings {
        api.require(connection);
        source.require(api);
        run.requireRate("--update-rate", source.updateRate());
        run.require(api);
        ItemDivision.require(itemCount, run.threads().size(), commonItemCount);
    }

    /** What the user set, completed from the EmaConfig.xml that these settings name. */
    Configured configured() {
        return new Configured(
                        host,
                        port,
                        connection,
                        new Configured.Service(serviceName, serviceId),
                        content,
                        List.of())
                .client(emaConfig, "NiProvider", providerName);
    }

    /** The same with what an EmaConfig.xml says of connection, service and dictionary. */
    PublisherSettings with(final Configured from) {
        return Settings.with(
                this,
                Map.of(
                        "host", from.host(),
                        "port", from.port(),
                        "serviceName", from.service().name(),
                        "serviceId", from.service().id(),
                        "content", from.content(),
                        "connection", from.connection()));
    }
}
