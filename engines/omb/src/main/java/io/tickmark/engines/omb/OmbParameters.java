package io.tickmark.engines.omb;

import io.tickmark.kernel.settings.Setting;
import java.time.Duration;
import java.util.List;

/** The parameters of a channel to a driver. */
record OmbParameters(
        @Setting(
                        help =
                                "Folders with the jars of the driver and of everything that it needs, or single jars (default:"
                                        + " the folder lib beside the configuration or beside its folder, as in a distribution).",
                        label = "FOLDER,...")
                List<String> jars,
        @Setting(
                        help =
                                "First part of the names of topics (default: the driver's own and a word that is different in"
                                        + " each run, which the publisher passes to its subscribers). Sides that are started"
                                        + " by hand need the same prefix. A * at its beginning stands for the driver's own.",
                        label = "NAME")
                String prefix,
        @Setting(
                        help = "Partitions of each topic that is made.",
                        byDefault = "1",
                        min = 1,
                        max = 100_000)
                int partitions,
        @Setting(
                        help = "Producers of each topic, which messages go through in turn.",
                        byDefault = "1",
                        min = 1,
                        max = 1000)
                int producers,
        @Setting(
                        help =
                                "Consumers of each subscription, which share its messages and hand them to one subscriber.",
                        byDefault = "1",
                        min = 1,
                        max = 1000)
                int consumers,
        @Setting(
                        help =
                                "How many different keys messages are given, in turn; 0 for messages without a key.",
                        byDefault = "0",
                        min = 0,
                        max = 1_000_000)
                int keys,
        @Setting(
                        help =
                                "Whether a thread of the engine calls the driver, so that one that waits in sendAsync does not"
                                        + " hold up the publisher; false calls it on the publisher's own thread, as the"
                                        + " framework does.",
                        byDefault = "true")
                boolean sendThread,
        @Setting(
                        help =
                                "Longest time that the driver may take for each step when it opens: to begin, to make a topic,"
                                        + " a producer, a consumer.",
                        byDefault = "60s",
                        min = 1e9,
                        max = 3600e9)
                Duration openTimeout,
        @Setting(
                        help =
                                "Maximum messages in flight whose future is not complete; more is back-pressure.",
                        byDefault = "4096",
                        min = 1,
                        max = 1 << 20)
                int maxFlight,
        @Setting(
                        help =
                                "Maximum bytes in flight whose future is not complete; more is back-pressure.",
                        byDefault = "4194304",
                        unit = "bytes",
                        min = 1024,
                        max = 1 << 30)
                int sendPendingBytes,
        @Setting(
                        help =
                                "Maximum bytes that may wait here for a slow subscriber; more is dropped and counted.",
                        byDefault = "67108864",
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
                int maxPayloadBytes) {
    /** One of the driver's client, as far as is known, and ours that calls it. */
    int clientThreads() {
        return sendThread ? 2 : 1;
    }
}
