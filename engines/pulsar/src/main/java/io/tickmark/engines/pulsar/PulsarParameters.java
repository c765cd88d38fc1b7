package io.tickmark.engines.pulsar;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.transport.broker.BrokerSettings;
import io.tickmark.transport.broker.FlightLimits;
import io.tickmark.transport.store.Deletion;

/** Parameters of a Pulsar channel. */
record PulsarParameters(
        BrokerSettings broker,
        FlightLimits limits,
        @Setting(
                        help =
                                "File whose first line is the token that the server asks for (a JWT), read on the host of each"
                                        + " role; it is sent unencrypted.",
                        byDefault = "",
                        label = "FILE")
                String tokenFile,
        @Setting(
                        help =
                                "Tenant and namespace of all topics, which a server that is already running must have.",
                        byDefault = "public/default",
                        label = "NAME")
                String namespace,
        @Setting(
                        help =
                                "Plain tests: whether topics are persistent, so that BookKeeper stores each message and a slow"
                                        + " subscriber finds it there. If off, the server drops what a subscriber has no room"
                                        + " for.",
                        byDefault = "false")
                boolean persistent,
        @Setting(
                        help =
                                "Type of each subscription; a store's subscriber acknowledges all messages up to one, which"
                                        + " shared subscriptions do not allow.",
                        byDefault = "exclusive")
                Subscribing subscription,
        @Setting(
                        help =
                                "Whether the client sends messages in batches (enableBatching); the server stores a batch as one"
                                        + " entry.",
                        byDefault = "true")
                boolean batching,
        @Setting(
                        help =
                                "Longest time that a message waits for others in its batch (batchingMaxPublishDelay).",
                        byDefault = "1000",
                        unit = "microseconds",
                        min = 1,
                        max = 1_000_000)
                int batchingDelayUs,
        @Setting(
                        help =
                                "Messages that the server sends ahead to a subscriber (receiverQueueSize).",
                        byDefault = "1000",
                        min = 1,
                        max = 1 << 20)
                int receiverQueue,
        @Setting(
                        help =
                                "Maximum bytes that wait in the client for a slow subscriber, besides the receiver queue.",
                        byDefault = "4194304",
                        unit = "bytes",
                        min = 1024,
                        max = 1 << 30)
                int receivePendingBytes,
        @Setting(
                        help =
                                "Whether BookKeeper at a server that is started syncs its journal before it acknowledges"
                                        + " (journalSyncData).",
                        byDefault = "true")
                boolean sync,
        @Setting(
                        help =
                                "Store: when messages are deleted; kept ones are held by a subscription that acknowledges"
                                        + " nothing.",
                        byDefault = "acknowledged")
                Deletion deletion,
        @Setting(
                        help =
                                "Heap of the server that is started, which may use as much memory outside of it.",
                        byDefault = "512",
                        unit = "MiB",
                        min = 256,
                        max = 65_536)
                int serverHeapMib)
        implements FlightLimits.Limited {
    /** Types of subscriptions that need no keys. */
    enum Subscribing {
        /** One consumer; a second one is refused. */
        EXCLUSIVE,
        /** One active consumer; another one takes over when it ends. */
        FAILOVER,
        /** Messages are spread over the consumers, and each is acknowledged by itself. */
        SHARED
    }
}
