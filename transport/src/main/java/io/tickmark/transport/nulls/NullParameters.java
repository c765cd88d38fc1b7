package io.tickmark.transport.nulls;

import io.tickmark.kernel.settings.Setting;
import java.time.Duration;

/**
 * Parameters of a {@code null} channel. All of them apply to the direction from the binding side to
 * the connecting sides; the opposite direction is immediate and lossless.
 *
 * @param delay of every message
 * @param bimodalDelay of the messages that bimodalPart selects
 * @param bimodalPart which part of the messages takes bimodalDelay
 * @param stallEvery period of the stalls
 * @param stallFor how long nothing is released at the end of each period
 * @param lossPart which part of the messages is lost
 * @param duplicatePart which part of the messages arrives twice
 * @param reorderPairs one of this many pairs of messages is swapped
 * @param seed shifts the patterns
 * @param capacityBytes room for messages in transit
 */
public record NullParameters(
        @Setting(
                        help = "Delay of every message.",
                        byDefault = "0ns",
                        min = 0,
                        max = NullParameters.LONGEST_NS)
                Duration delay,
        @Setting(
                        help = "Delay of the messages that bimodalPart picks, instead of delay.",
                        byDefault = "0ns",
                        min = 0,
                        max = NullParameters.LONGEST_NS)
                Duration bimodalDelay,
        @Setting(
                        help = "Fraction of the messages that take bimodalDelay.",
                        byDefault = "0",
                        unit = Setting.PART,
                        min = 0,
                        max = 1)
                double bimodalPart,
        @Setting(
                        help = "Period of the stalls; 0s for none.",
                        byDefault = "0s",
                        min = 0,
                        max = NullParameters.LONGEST_NS)
                Duration stallEvery,
        @Setting(
                        help =
                                "How long nothing is delivered at the end of each stallEvery; what is held back is delivered"
                                        + " when the stall ends.",
                        byDefault = "0s",
                        min = 0,
                        max = NullParameters.LONGEST_NS)
                Duration stallFor,
        @Setting(
                        help = "Fraction of the messages that are lost, evenly spread.",
                        byDefault = "0",
                        unit = Setting.PART,
                        min = 0,
                        max = 1)
                double lossPart,
        @Setting(
                        help = "Fraction of the messages that are delivered twice, evenly spread.",
                        byDefault = "0",
                        unit = Setting.PART,
                        min = 0,
                        max = 1)
                double duplicatePart,
        @Setting(
                        help = "Swap one of this many pairs of messages; 0 for none.",
                        byDefault = "0",
                        min = 0,
                        max = NullParameters.LARGEST_SHIFT)
                int reorderPairs,
        @Setting(
                        help = "Shifts the patterns by this many messages.",
                        byDefault = "0",
                        min = 0,
                        max = NullParameters.LARGEST_SHIFT)
                int seed,
        @Setting(
                        help = "Room for messages in transit, a power of two.",
                        byDefault = "4194304",
                        unit = "bytes",
                        min = 65536,
                        max = 1 << 30)
                int capacityBytes) {
    static final double LONGEST_NS = 3600e9;
    static final int LARGEST_SHIFT = 1_000_000;
}
