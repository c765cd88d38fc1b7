package io.tickmark.workloads.messaging.jitter;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * What a message that is due at a random moment waits for a core that is away. Of <i>n(L)</i>
 * stalls of length <i>L</i> within the time <i>T</i>, the moment meets one with the probability
 * <i>n(L) L / T</i>, and what remains of it then is anything from 0 to <i>L</i>, all equally likely
 * (the residual life of renewal theory):
 *
 * <pre>
 * P(wait &gt; x) = sum over L &gt; x of n(L) (L - x) / T
 * mean        = sum over L of n(L) L² / (2 T)
 * </pre>
 *
 * <p>So a stall of 10 ms weighs as much in the mean as a hundred stalls of 1 ms. A value; made once
 * a loop has ended.
 */
final class StallWaits {
    /** So many stalls of about that length. */
    private record Stalls(double lengthNs, double count) {}

    private final List<Stalls> longestFirst = new ArrayList<>();
    private final long watchedNs;

    /**
     * Reads the stalls.
     *
     * @param passes lengths of all passes of the loop, ns
     * @param ownNs what a pass takes that nothing interrupts
     * @param fromNs shortest stall
     * @param watchedNs time within which they were seen, above 0
     */
    StallWaits(final Histogram passes, final long ownNs, final long fromNs, final long watchedNs) {
        this.watchedNs = watchedNs;
        for (final HistogramIterationValue value : passes.recordedValues()) {
            final long lengthNs = passes.medianEquivalentValue(value.getValueIteratedTo()) - ownNs;
            if (lengthNs >= fromNs) {
                longestFirst.addFirst(new Stalls(lengthNs, value.getCountAtValueIteratedTo()));
            }
        }
    }

    /**
     * The mean over all moments, those without a stall included.
     *
     * @return ns
     */
    double meanNs() {
        return longestFirst.stream()
                        .mapToDouble(stall -> stall.count * stall.lengthNs * stall.lengthNs)
                        .sum()
                / (2.0 * watchedNs);
    }

    /**
     * The wait that no more than the rest of all moments exceed.
     *
     * @param percentile 0 to 100
     * @return ns, 0 where so many moments meet no stall
     */
    double atPercentileNs(final double percentile) {
        // P(wait > x) T is a straight line between the lengths of two stalls: down the first that
        // reaches so low.
        final double exceededNs = (1 - percentile / 100) * watchedNs;
        double count = 0;
        double sumNs = 0;
        for (int i = 0; i < longestFirst.size(); i++) {
            count += longestFirst.get(i).count;
            sumNs += longestFirst.get(i).count * longestFirst.get(i).lengthNs;
            final double waitNs = (sumNs - exceededNs) / count;
            if (waitNs >= (i + 1 < longestFirst.size() ? longestFirst.get(i + 1).lengthNs : 0)) {
                return waitNs;
            }
        }
        return 0;
    }
}
