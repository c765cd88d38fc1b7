package io.tickmark.workloads.messaging.stream;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.transport.ChannelUri;
import io.tickmark.workloads.messaging.ThreadSettings;
import io.tickmark.workloads.messaging.store.PatienceSettings;
import io.tickmark.workloads.messaging.store.Stores;
import java.time.Duration;
import java.util.List;

/**
 * Settings of the stream subscriber.
 *
 * @param channel to measure
 * @param stored whether messages go through the channel's store
 * @param topics received on one thread
 * @param cookie number of this subscriber, 0 to take its index in the plan
 * @param spinCount passes of an empty loop for each message
 * @param exitAtEnd whether to end when the publisher has ended, or only after the idle time-out
 * @param idleTimeout end after this long without a message
 * @param recordLatency whether to record one-way latencies
 * @param verify whether to check checksums
 * @param logLatencies whether each latency is written to latency.csv
 * @param patience how long it waits for a store
 * @param thread how the hot thread waits and where it runs
 */
public record StreamSubSettings(
        @Setting(
                        help = "Channel to measure.",
                        byDefault = "udp://127.0.0.1:0",
                        aliases = {"--store"},
                        label = "URI")
                String channel,
        @Setting(
                        help =
                                "Messages go through the channel's store; --store says so, and in a plan the role store.",
                        byDefault = "false")
                boolean stored,
        @Setting(
                        help = "Topics, received on one thread; the publisher's.",
                        byDefault = "tickmark",
                        label = "NAME,...")
                List<String> topics,
        @Setting(
                        help =
                                "Number of this subscriber, from 1, each its own; 0 takes its index in the plan.",
                        byDefault = "0",
                        min = 0,
                        max = 1024)
                int cookie,
        @Setting(
                        help =
                                "Passes of an empty loop for each message: a subscriber that has work to do.",
                        byDefault = "0",
                        min = 0,
                        max = 1_000_000_000)
                int spinCount,
        @Setting(
                        help =
                                "End when the publisher has ended; false waits for the idle timeout.",
                        byDefault = "true")
                boolean exitAtEnd,
        @Setting(
                        help = "End after this long without a message.",
                        byDefault = "10s",
                        min = 1e6,
                        max = 8.64e13)
                Duration idleTimeout,
        @Setting(
                        help =
                                "Record one-way latencies, where publisher and subscriber share a clock.",
                        byDefault = "true")
                boolean recordLatency,
        @Setting(help = "Check the CRC32C of messages from 32 bytes on.", byDefault = "true")
                boolean verify,
        @Setting(help = "Write each latency to latency.csv.", byDefault = "false")
                boolean logLatencies,
        PatienceSettings patience,
        ThreadSettings thread) {
    /** Copies the list. */
    public StreamSubSettings {
        topics = List.copyOf(topics);
    }

    /**
     * Whether messages go through a store, by its own word or because the channel has no others.
     */
    boolean isStored() {
        return Stores.isStored(ChannelUri.parse(channel), stored);
    }
}
