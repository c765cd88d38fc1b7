package io.tickmark.engines.artemis;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.transport.broker.BrokerSettings;
import io.tickmark.transport.broker.Credentials;
import io.tickmark.transport.broker.FlightLimits;
import io.tickmark.transport.store.Deletion;

/** Parameters of an Artemis channel. */
record ArtemisParameters(
        BrokerSettings broker,
        Credentials credentials,
        FlightLimits limits,
        @Setting(
                        help =
                                "Bytes that the server sends ahead to a subscriber (consumerWindowSize).",
                        byDefault = "1048576",
                        unit = "bytes",
                        min = 1024,
                        max = 1 << 30)
                int consumerWindowBytes,
        @Setting(
                        help =
                                "Maximum bytes that wait in the client for a slow subscriber, besides the window; the rest"
                                        + " waits in the server.",
                        byDefault = "4194304",
                        unit = "bytes",
                        min = 1024,
                        max = 1 << 30)
                int receivePendingBytes,
        @Setting(
                        help =
                                "Store: whether a server that is started syncs its journal before it acknowledges"
                                        + " (journal-datasync).",
                        byDefault = "true")
                boolean sync,
        @Setting(
                        help =
                                "Store: when messages are deleted; kept ones are in a non-destructive queue.",
                        byDefault = "acknowledged")
                Deletion deletion,
        @Setting(
                        help =
                                "Heap of the server that is started; half of it may be messages, further ones are paged to disk.",
                        byDefault = "512",
                        unit = "MiB",
                        min = 128,
                        max = 65_536)
                int serverHeapMib)
        implements FlightLimits.Limited, Credentials.Asked {}
