package io.tickmark.workloads.market.source;

import io.tickmark.workloads.market.measure.HeldRate;
import java.util.List;

/**
 * Names the saturated side where a sender of updates did not hold its rate. It explains: the plan's
 * {@code minRateHeldPart} decides whether the rate was held well enough.
 */
public final class SaturatedSide {
    private SaturatedSide() {}

    /**
     * Reports which side could not keep up, as far as the sender's own figures show it.
     *
     * @param sender such as {@code provider}
     * @param receiver such as {@code consumer}
     * @param updates that were sent, or how many a second
     * @param wantedUpdates that the rate asked for, in the same unit
     * @param noBuffer how often no output buffer was free
     * @return one sentence; none where the rate was held
     */
    public static List<String> of(
            final String sender,
            final String receiver,
            final double updates,
            final double wantedUpdates,
            final long noBuffer) {
        if (HeldRate.isHeld(updates, wantedUpdates)) {
            return List.of();
        }
        return List.of(
                noBuffer > 0
                        ? ("The %s found no output buffer %d times: its %s, or what is between them, is the "
                                        + "saturated side (with a distribution system between, its output "
                                        + "buffers may be too few).")
                                .formatted(sender, noBuffer, receiver)
                        : ("The %s was never refused a buffer: it is the saturated side itself; give it a "
                                        + "core of its own, more --threads, or --pre-enc.")
                                .formatted(sender));
    }
}
