package io.tickmark.workloads.fix.client;

import io.tickmark.kernel.settings.Setting;
import java.time.Duration;

/**
 * Settings of the producers.
 *
 * @param client settings shared with consumers
 * @param producersPort of the gateway
 * @param producers how many sessions
 * @param messages of each session
 * @param duration in place of a number of messages
 * @param rate of each session
 * @param every which messages are marked to fan out
 * @param burst whether all sessions send at the same moment
 * @param warmUp how long to send before the measurement
 * @param message file with the message
 * @param symbolCount symbols that the messages use in turn
 * @param linger how long sessions stay after the last message
 */
public record ProducersSettings(
        ClientOptions client,
        @Setting(
                        help = "Port of the gateway.",
                        byDefault = "3000",
                        min = 0,
                        max = 65535,
                        aliases = {"--port"})
                int producersPort,
        @Setting(help = "Sessions.", byDefault = "1", min = 1, max = 10_000) int producers,
        @Setting(help = "Messages of each session.", byDefault = "1000", min = 1, max = 1e12)
                long messages,
        @Setting(
                        help = "How long to send, in place of a number of messages; 0 to count.",
                        byDefault = "0",
                        max = 86_400e9)
                Duration duration,
        @Setting(
                        help =
                                "Messages per second of each session, on a fixed grid; 0: as fast as possible.",
                        byDefault = "100",
                        unit = "msg/s",
                        min = 0,
                        max = 1e9)
                double rate,
        @Setting(
                        help =
                                "Every Nth message of a session is marked to fan out; 0: as many as there are sessions.",
                        byDefault = "0",
                        min = 0,
                        max = 1e9)
                long every,
        @Setting(help = "All sessions send at the same moment, in place of one after the other.")
                boolean burst,
        @Setting(
                        help = "How long to send before the measurement, at the same rate.",
                        byDefault = "0",
                        max = 600e9)
                Duration warmUp,
        @Setting(
                        help =
                                "Text file with the message to send, SOH or | between its fields; header and trailer are "
                                        + "rebuilt (default: a market data snapshot, 35=W).",
                        label = "FILE")
                String message,
        @Setting(
                        help = "Symbols that the messages use in turn; 0: the message's own.",
                        byDefault = "0",
                        min = 0,
                        max = 1_000_000)
                int symbolCount,
        @Setting(
                        help = "How long sessions stay logged on after the last message.",
                        byDefault = "200ms",
                        max = 600e9)
                Duration linger) {

    /**
     * Which messages fan out.
     *
     * @return n, where every n-th message fans out
     */
    long markedEvery() {
        return every == 0 ? producers : every;
    }
}
