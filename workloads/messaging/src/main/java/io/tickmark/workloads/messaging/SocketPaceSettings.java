package io.tickmark.workloads.messaging;

import io.tickmark.kernel.settings.Setting;

/**
 * How a publisher of bare sockets may be paced other than by a rate.
 *
 * @param sleepUs gap after each send; -1 where it sends at a rate, or as fast as possible
 */
public record SocketPaceSettings(
        @Setting(
                        help =
                                "Sleep after each send, in place of --rate (-r), which sends busily and catches up; -1"
                                        + " for not at all.",
                        byDefault = "-1",
                        unit = "us",
                        min = -1,
                        max = 3.6e9,
                        aliases = {"-s"})
                long sleepUs) {}
