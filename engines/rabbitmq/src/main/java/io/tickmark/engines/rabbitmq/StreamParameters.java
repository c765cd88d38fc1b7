package io.tickmark.engines.rabbitmq;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.transport.store.Deletion;

/** Parameters of a channel of RabbitMQ's streams. */
record StreamParameters(
        @Setting(
                        help =
                                "Start the server at this address, as a child of the binding side; without an address or "
                                        + "with port 0 it is always started.",
                        byDefault = "false")
                boolean start,
        @Setting(
                        help =
                                "First part of the names of streams, so that tests on one server stay apart.",
                        byDefault = "tickmark",
                        label = "NAME")
                String prefix,
        @Setting(help = "User at a server that runs already.", byDefault = "guest", label = "NAME")
                String user,
        @Setting(
                        help =
                                "File whose first line is the user's password, read on the host of each role; without a file it"
                                        + " is guest.",
                        byDefault = "",
                        label = "FILE")
                String passwordFile,
        @Setting(
                        help = "Virtual host at a server that runs already.",
                        byDefault = "/",
                        label = "NAME")
                String virtualHost,
        @Setting(
                        help = "Most messages under way without a confirm; more is back-pressure.",
                        byDefault = "4096",
                        min = 1,
                        max = 1 << 20)
                int maxFlight,
        @Setting(
                        help = "Most bytes under way without a confirm; more is back-pressure.",
                        byDefault = "4194304",
                        unit = "bytes",
                        min = 1024,
                        max = 1 << 30)
                int sendPendingBytes,
        @Setting(
                        help =
                                "Most messages that the client sends in one frame; fewer where no more wait.",
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
                                "Largest message; a server that is started has frames that are long enough for it.",
                        byDefault = "1000000",
                        unit = "bytes",
                        min = 64,
                        max = 64_000_000)
                int maxPayloadBytes,
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
                Deletion deletion) {}
