package io.tickmark.workloads.feed.session;

import io.tickmark.kernel.settings.Setting;
import java.time.Duration;

/**
 * The request of one client, and the quality of service it gets.
 *
 * @param maxFrequency most messages a second of one symbol; 0 for all
 * @param conflation what happens to messages that may not be sent yet
 * @param flush how long messages are collected for one frame; zero for one message a frame
 * @param guaranteed whether messages are kept until acknowledged, and sent again after a reconnect
 * @param windowFrames frames that may be in flight without acknowledgement
 * @param windowBytes bytes that may be in flight without acknowledgement
 * @param limitBytes most that may wait or be kept for the client
 * @param firstSymbol of those it gets
 * @param symbolCount how many it gets; 0 for all from the first on
 */
public record SessionSettings(
        @Setting(
                        help =
                                "Most messages per second of one symbol that a client gets; 0: all of them.",
                        byDefault = "0",
                        unit = "msg/s",
                        min = 0,
                        max = 1_000_000)
                double maxFrequency,
        @Setting(
                        help =
                                "What happens to messages that may not be sent yet: merge, buffer, ignore, or a policy of "
                                        + "your own.",
                        byDefault = "merge",
                        label = "POLICY")
                String conflation,
        @Setting(
                        help =
                                "How long messages are collected for one frame; 0: one message a frame, at once.",
                        byDefault = "1ms",
                        min = 0,
                        max = 6e10)
                Duration flush,
        @Setting(
                        help =
                                "Number messages, keep them until they are acknowledged, and send them again "
                                        + "after a reconnect.",
                        byDefault = "false")
                boolean guaranteed,
        @Setting(
                        help = "Frames that may be in flight without acknowledgement.",
                        byDefault = "256",
                        min = 1,
                        max = 65_536)
                int windowFrames,
        @Setting(
                        help = "Bytes that may be in flight without acknowledgement.",
                        byDefault = "256k",
                        unit = "bytes",
                        min = 1_000,
                        max = 64_000_000)
                int windowBytes,
        @Setting(
                        help =
                                "Maximum that may wait, or be kept, for one client; beyond it the client is "
                                        + "disconnected and notified of what it missed.",
                        byDefault = "4M",
                        unit = "bytes",
                        min = 10_000,
                        max = 1e9)
                long limitBytes,
        @Setting(help = "First symbol that a client gets.", byDefault = "0", min = 0, max = 1e6)
                int firstSymbol,
        @Setting(help = "Symbols that a client gets; 0: all.", byDefault = "0", min = 0, max = 1e6)
                int symbolCount) {

    private static final double NS_PER_S = 1e9;

    /**
     * Shortest time between two messages of one symbol.
     *
     * @return ns, 0 for none
     */
    public long minGapNs() {
        return maxFrequency > 0 ? (long) (NS_PER_S / maxFrequency) : 0;
    }

    /**
     * Whether a frame holds one message only.
     *
     * @return true where nothing is collected
     */
    public boolean isUnbatched() {
        return flush.isZero();
    }

    /**
     * The same for other symbols.
     *
     * @param first of them
     * @param count of them
     * @return settings
     */
    public SessionSettings forSymbols(final int first, final int count) {
        return new SessionSettings(
                maxFrequency,
                conflation,
                flush,
                guaranteed,
                windowFrames,
                windowBytes,
                limitBytes,
                first,
                count);
    }

    /**
     * The same with another flush interval.
     *
     * @param interval zero for one message a frame
     * @return settings
     */
    public SessionSettings flushedEvery(final Duration interval) {
        return new SessionSettings(
                maxFrequency,
                conflation,
                interval,
                guaranteed,
                windowFrames,
                windowBytes,
                limitBytes,
                firstSymbol,
                symbolCount);
    }
}
