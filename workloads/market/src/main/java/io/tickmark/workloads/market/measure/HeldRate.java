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
                        ("The %s sent %.0f %s/s of the requested %.0f/s; either it sends too slowly, or the %s "
                                        + "reads too slowly.")
                                .formatted(sender, sentPerSecond, what, wantedPerSecond, receiver));
    }

    /**
     * Names the side that was saturated where a sender of updates did not hold its rate, as far as
     * the sender's own figures show it. It explains: the plan's {@code minRateHeldPart} decides
     * whether the rate was held well enough.
     *
     * @param sender such as {@code provider}
     * @param receiver such as {@code consumer}
     * @param updates that were sent, or how many a second
     * @param wantedUpdates that the rate asked for, in the same unit
     * @param noBuffer how often no output buffer was free
     * @return one sentence; none where the rate was held
     */
    public static List<String> saturatedSide(
            final String sender,
            final String receiver,
            final double updates,
            final double wantedUpdates,
            final long noBuffer) {
        if (isHeld(updates, wantedUpdates)) {
            return List.of();
        }
        return List.of(
                noBuffer > 0
                        ? ("The %s found no free output buffer %d times: the %s, or what is between the two, is "
                                        + "the bottleneck (a distribution system between them may have too few output buffers).")
                                .formatted(sender, noBuffer, receiver)
                        : ("The %s always found a free buffer, so it is itself the bottleneck; give it a core of "
                                        + "its own, more --threads, or --pre-enc.")
                                .formatted(sender));
    }
}
