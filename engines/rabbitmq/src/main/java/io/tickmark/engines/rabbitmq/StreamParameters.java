package io.tickmark.engines.rabbitmq;

import io.tickmark.kernel.settings.Defaults;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.transport.broker.BrokerSettings;
import io.tickmark.transport.broker.Credentials;
import io.tickmark.transport.broker.FlightLimits;
import io.tickmark.transport.store.Deletion;

/** Parameters of a channel of RabbitMQ's streams. */
record StreamParameters(
        BrokerSettings broker,
        @Defaults("user=guest") Credentials credentials,
        FlightLimits limits,
        @Setting(
                        help = "Virtual host at a server that is already running.",
                        byDefault = "/",
                        label = "NAME")
                String virtualHost,
        @Setting(
                        help =
                                "Maximum messages that the client sends in one frame; fewer where no more wait.",
                        byDefault = "100",
                        min = 1,
                        max = 10_000)
                int batch,
        @Setting(
                        help =
                                "Chunks that the server sends ahead of what a subscriber has processed; the rest waits in the"
                                        + " server.",
                        byDefault = "10",
                        min = 1,
                        max = 1000)
                int credits,
        @Setting(
                        help =
                                "Plain tests: how much of a stream the server keeps; of a store it keeps everything.",
                        byDefault = "1000000000",
                        unit = "bytes",
                        min = 10_000_000,
                        max = 100_000_000_000L)
                long keepBytes,
        @Setting(
                        help =
                                "Store: when messages are deleted: kept; a stream cannot delete what was acknowledged.",
                        byDefault = "kept")
                Deletion deletion)
        implements FlightLimits.Limited, Credentials.Asked {}
