package io.tickmark.workloads.market.rssl;

import io.tickmark.kernel.settings.Setting;

/**
 * How much a server keeps for those that read too slowly.
 *
 * @param maxQueuedBytes of one consumer before it is disconnected
 */
public record QueueSettings(
        @Setting(
                        help =
                                "Bytes queued for a slow consumer, beyond its output buffers, before it is "
                                        + "disconnected.",
                        byDefault = "64M",
                        unit = "bytes",
                        min = 0,
                        max = 1_000_000_000)
                long maxQueuedBytes) {}
