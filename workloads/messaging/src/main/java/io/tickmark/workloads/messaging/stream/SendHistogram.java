package io.tickmark.workloads.messaging.stream;

import java.util.List;
import java.util.StringJoiner;
import org.HdrHistogram.Histogram;

/** A histogram of equal buckets over the recorded one, as streaming tests print it. */
final class SendHistogram {
    private SendHistogram() {}

    /**
     * Counts of the buckets, and of what lies above the last, as {@code 0-500ns=12 500-1000ns=3
     * above=1}.
     */
    static String text(final Histogram recorded, final List<Integer> bucketsAndWidthNs) {
        final int buckets = bucketsAndWidthNs.get(0);
        final long widthNs = bucketsAndWidthNs.get(1);
        final StringJoiner text = new StringJoiner(" ");
        long counted = 0;
        for (int bucket = 0; bucket < buckets; bucket++) {
            final long below = countBelow(recorded, (bucket + 1) * widthNs);
            if (below > counted) {
                text.add(
                        bucket * widthNs
                                + "-"
                                + (bucket + 1) * widthNs
                                + "ns="
                                + (below - counted));
            }
            counted = below;
        }
        return text.add("above=" + (recorded.getTotalCount() - counted)).toString();
    }

    private static long countBelow(final Histogram recorded, final long boundNs) {
        return boundNs > recorded.getMaxValue()
                ? recorded.getTotalCount()
                : recorded.getCountBetweenValues(0, Math.max(0, boundNs - 1));
    }
}
