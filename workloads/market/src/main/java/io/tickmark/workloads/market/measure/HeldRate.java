package io.tickmark.workloads.market.measure;

import java.util.List;

/** Checks whether a rate of messages was held, and which side did not hold it. */
public final class HeldRate {
    private static final double HELD_PART = 0.99;

    private HeldRate() {}

    /**
     * Whether enough was sent.
     *
     * @param sent messages, or how many a second
     * @param wanted that the rate asked for, in the same unit
     * @return false where more than a hundredth is missing
     */
    public static boolean isHeld(final double sent, final double wanted) {
        return sent >= HELD_PART * wanted;
    }

    /**
     * Why a row fails whose messages of one kind were not sent at their rate.
     *
     * @param sender such as {@code consumer}
     * @param receiver such as {@code provider}
     * @param what it sends, such as {@code posts}
     * @param sentPerSecond messages
     * @param leastPerSecond messages that had to be sent, 0 where none were asked for
     * @param wantedPerSecond messages that were asked for
     * @return one sentence; none where the rate was held
     */
    public static List<String> reasons(
            final String sender,
            final String receiver,
            final String what,
            final double sentPerSecond,
            final double leastPerSecond,
            final double wantedPerSecond) {
        return isHeld(sentPerSecond, leastPerSecond)
                ? List.of()
                : List.of(
                        ("The %s sent %.0f %s/s of the %.0f/s asked for; it, or the %s's reading, is the "
                                        + "bottleneck.")
                                .formatted(sender, sentPerSecond, what, wantedPerSecond, receiver));
    }
}
