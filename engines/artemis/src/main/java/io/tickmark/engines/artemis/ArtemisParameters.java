package io.tickmark.engines.artemis;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.transport.store.Deletion;

/** Parameters of an Artemis channel. */
record ArtemisParameters(
        @Setting(
                        help =
                                "Start the server at this address, as a child of the binding side; without an address or "
                                        + "with port 0 it is always started.",
                        byDefault = "false")
                boolean start,
        @Setting(
                        help =
                                "First part of the names of addresses and queues, so that tests on one server stay apart.",
                        byDefault = "tickmark",
                        label = "NAME")
                String prefix,
        @Setting(
                        help =
                                "User at a server that runs already; without one, the server has to accept anybody.",
                        byDefault = "",
                        label = "NAME")
                String user,
        @Setting(
                        help =
                                "File whose first line is the user's password, read on the host of each role.",
                        byDefault = "",
                        label = "FILE")
                String passwordFile,
        @Setting(
                        help =
                                "Most messages under way without an acknowledgement; more is back-pressure.",
                        byDefault = "4096",
                        min = 1,
                        max = 1 << 20)
                int maxFlight,
        @Setting(
                        help =
                                "Most bytes under way without an acknowledgement; more is back-pressure.",
                        byDefault = "4194304",
                        unit = "bytes",
                        min = 1024,
                        max = 1 << 30)
                int sendPendingBytes,
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
                                "Most bytes that wait in the client for a slow subscriber, besides the window; the rest"
                                        + " waits in the server.",
                        byDefault = "4194304",
                        unit = "bytes",
                        min = 1024,
                        max = 1 << 30)
                int receivePendingBytes,
        @Setting(
                        help = "Largest message.",
                        byDefault = "1000000",
                        unit = "bytes",
                        min = 64,
                        max = 64_000_000)
                int maxPayloadBytes,
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
                int serverHeapMib) {}
