package io.tickmark.workloads.messaging;

import io.tickmark.kernel.settings.UserError;
import java.util.List;
import java.util.StringJoiner;
import org.HdrHistogram.Histogram;

/** A histogram of equal buckets over the recorded one, as streaming tests print it. */
public final class Buckets {
    private static final int MOST = 10_000;

    private Buckets() {}

    /**
     * Refuses invalid buckets.
     *
     * @param option as named for the user
     * @param bucketsAndWidthNs two numbers, or empty for none
     * @throws UserError if there are not two, or too many buckets
     */
    public static void check(final String option, final List<Integer> bucketsAndWidthNs) {
        if (!bucketsAndWidthNs.isEmpty() && bucketsAndWidthNs.size() != 2) {
            throw UserError.usage(option + ": takes two numbers, BUCKETS,NS, for example 20,500.");
        }
        if (!bucketsAndWidthNs.isEmpty() && bucketsAndWidthNs.getFirst() > MOST) {
            throw UserError.usage(
                    option + ": at most " + MOST + " buckets can be shown; give fewer.");
        }
    }

    /**
     * Counts of the buckets, and of the values above the last, as {@code 0-500ns=12 500-1000ns=3
     * above=1}.
     *
     * @param recorded times in ns
     * @param bucketsAndWidthNs two numbers
     * @return without empty buckets
     */
    public static String text(final Histogram recorded, final List<Integer> bucketsAndWidthNs) {
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
