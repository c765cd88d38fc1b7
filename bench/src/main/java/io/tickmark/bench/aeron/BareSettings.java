package io.tickmark.bench.aeron;

import io.tickmark.kernel.settings.Setting;

/**
 * Settings of one side of the bare stream.
 *
 * @param channel of Aeron
 * @param directory of the media driver
 * @param hostsDriver whether the driver is in this process
 * @param payloadBytes message length
 * @param clockReads whether each side reads the clock for each message
 * @param warmUpSeconds time of messages that are not counted
 * @param seconds time of messages that are counted
 * @param core to pin the hot thread to
 */
record BareSettings(
        @Setting(help = "Channel of Aeron.", label = "URI") String channel,
        @Setting(help = "Directory of the media driver.", label = "DIR") String directory,
        @Setting(help = "Whether the driver is in this process.", byDefault = "true")
                boolean hostsDriver,
        @Setting(help = "Message length.", byDefault = "700", unit = "bytes", min = 16, max = 1376)
                int payloadBytes,
        @Setting(help = "Whether each side reads the clock for each message.", byDefault = "false")
                boolean clockReads,
        @Setting(
                        help = "Time of messages that are not counted.",
                        byDefault = "2",
                        min = 0,
                        max = 60)
                int warmUpSeconds,
        @Setting(help = "Time of messages that are counted.", byDefault = "2", min = 1, max = 60)
                int seconds,
        @Setting(help = "Core of the hot thread; -1 for none.", byDefault = "-1", min = -1)
                int core) {}
