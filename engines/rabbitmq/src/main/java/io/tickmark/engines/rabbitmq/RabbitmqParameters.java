package io.tickmark.engines.rabbitmq;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.transport.store.Deletion;
import java.util.Locale;

/** Parameters of a RabbitMQ channel. */
record RabbitmqParameters(
        @Setting(
                        help =
                                "Start the server at this address, as a child of the binding side; without an address or "
                                        + "with port 0 it is always started.",
                        byDefault = "false")
                boolean start,
        @Setting(
                        help =
                                "Name of the exchange and first part of the names of queues, so that tests on one server stay"
                                        + " apart.",
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
                        help =
                                "Most messages that the client holds, in a store until they are confirmed; more is"
                                        + " back-pressure.",
                        byDefault = "4096",
                        min = 1,
                        max = 1 << 20)
                int maxFlight,
        @Setting(
                        help = "Most bytes that the client holds; more is back-pressure.",
                        byDefault = "4194304",
                        unit = "bytes",
                        min = 1024,
                        max = 1 << 30)
                int sendPendingBytes,
        @Setting(
                        help =
                                "Most messages that a subscriber gets before it acknowledges some (basic.qos); the rest waits in"
                                        + " the server.",
                        byDefault = "1000",
                        min = 10,
                        max = 65_535)
                int prefetch,
        @Setting(
                        help = "Largest message; a server that is started refuses larger ones too.",
                        byDefault = "1000000",
                        unit = "bytes",
                        min = 64,
                        max = 64_000_000)
                int maxPayloadBytes,
        @Setting(help = "Store: type of its queues.", byDefault = "classic") QueueType queue,
        @Setting(
                        help =
                                "Store: when messages are deleted; kept ones are never acknowledged by the subscriber.",
                        byDefault = "acknowledged")
                Deletion deletion) {
    /** The type of a durable queue ({@code x-queue-type}). */
    enum QueueType {
        /** In files of one server. */
        CLASSIC,
        /** In the log of a Raft group, of one member where a server is alone. */
        QUORUM;

        String argument() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
