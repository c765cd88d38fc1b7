package io.tickmark.engines.nats;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.transport.store.Deletion;
import java.time.Duration;

/**
 * Parameters of a channel to JetStream.
 *
 * @param client parameters common to every channel to a server
 */
record JetStreamParameters(
        NatsParameters client,
        @Setting(help = "Where messages are kept (JetStream storage).", byDefault = "file")
                Storage storage,
        @Setting(
                        help =
                                "Servers that keep each message (JetStream replicas, R1 to R5); a"
                                        + " majority has it when it is acknowledged.",
                        byDefault = "1",
                        min = 1,
                        max = 5)
                int replicas,
        @Setting(
                        help =
                                "Servers started, as one cluster on this machine; 0 for as many as replicas.",
                        byDefault = "0",
                        min = 0,
                        max = 5)
                int members,
        @Setting(
                        help =
                                "When messages are deleted; kept is a stream with limits, acknowledged a work queue.",
                        byDefault = "kept")
                Deletion deletion,
        @Setting(
                        help =
                                "When files are synced; always means before the acknowledgement and needs nats-server 2.10.",
                        byDefault = "interval")
                Sync sync,
        @Setting(
                        help =
                                "Time between syncs in the background; 0 leaves it to the server, another"
                                        + " value needs nats-server 2.10.",
                        byDefault = "0",
                        min = 0,
                        max = 3600e9)
                Duration syncInterval,
        @Setting(
                        help =
                                "Give each message an id and its place, so that it can be sent again and"
                                        + " is stored once. If off, nothing is resent.",
                        byDefault = "true")
                boolean dedup,
        @Setting(
                        help = "Time within which the server recognises an id.",
                        byDefault = "10s",
                        min = 1e9,
                        max = 3600e9)
                Duration dedupWindow,
        @Setting(
                        help = "Maximum messages of a publication that are not acknowledged yet.",
                        byDefault = "16384",
                        min = 1,
                        max = 1 << 20)
                int maxFlight,
        @Setting(
                        help = "A message not acknowledged after this time is sent again.",
                        byDefault = "5s",
                        min = 1e8,
                        max = 600e9)
                Duration ackTimeout,
        @Setting(
                        help = "Messages that a subscription requests in advance.",
                        byDefault = "2000",
                        min = 1,
                        max = 1 << 20)
                int pull) {
    /** Where JetStream keeps messages. */
    enum Storage {
        /** In files. */
        FILE,
        /** In the server's memory. */
        MEMORY
    }

    /** When JetStream syncs its files. */
    enum Sync {
        /**
         * Periodically, in the background: acknowledged messages may still be in the page cache.
         */
        INTERVAL,
        /** Before a message is acknowledged. */
        ALWAYS
    }
}
