package io.tickmark.engines.rabbitmq;

import io.tickmark.kernel.settings.Defaults;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.transport.broker.BrokerSettings;
import io.tickmark.transport.broker.Credentials;
import io.tickmark.transport.broker.FlightLimits;
import io.tickmark.transport.store.Deletion;
import java.util.Locale;

/** Parameters of a RabbitMQ channel. */
record RabbitmqParameters(
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
                                "Maximum messages that a subscriber gets before it acknowledges some (basic.qos); the rest waits"
                                        + " in the server.",
                        byDefault = "1000",
                        min = 10,
                        max = 65_535)
                int prefetch,
        @Setting(help = "Store: type of its queues.", byDefault = "classic") QueueType queue,
        @Setting(
                        help =
                                "Store: when messages are deleted; kept ones are never acknowledged by the subscriber.",
                        byDefault = "acknowledged")
                Deletion deletion)
        implements FlightLimits.Limited, Credentials.Asked {
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
