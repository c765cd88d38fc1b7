package io.tickmark.workloads.messaging.latency;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.workloads.messaging.DdsSettings;
import io.tickmark.workloads.messaging.ThreadSettings;
import java.time.Duration;

/**
 * Settings of the latency subscriber.
 *
 * @param channel to measure
 * @param topic within it
 * @param cookie number of this subscriber, 0 to take its index in the plan
 * @param noEcho whether it only receives; the one with the highest cookie must echo
 * @param idleTimeout end after this long without a message
 * @param verify whether to check checksums
 * @param thread how the hot thread waits and where it runs
 * @param dds a DDS channel in single options
 */
public record LatencySubSettings(
        @Setting(help = "Channel to measure.", byDefault = "udp://127.0.0.1:0", label = "URI")
                String channel,
        @Setting(help = "Topic within the channel.", byDefault = "tickmark", label = "NAME")
                String topic,
        @Setting(
                        help =
                                "Number of this subscriber, from 1, each its own; 0 takes its index in the plan.",
                        byDefault = "0",
                        min = 0,
                        max = 1024,
                        aliases = {"-cookie"})
                int cookie,
        @Setting(
                        help =
                                "Only receive; exactly one subscriber, the one with the highest cookie, echoes.",
                        byDefault = "false",
                        aliases = {"-noecho"})
                boolean noEcho,
        @Setting(
                        help = "End after this long without a message.",
                        byDefault = "10s",
                        min = 1e6,
                        max = 3.6e12)
                Duration idleTimeout,
        @Setting(help = "Check the CRC32C of messages from 32 bytes on.", byDefault = "true")
                boolean verify,
        ThreadSettings thread,
        DdsSettings dds) {}
