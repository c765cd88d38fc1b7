package io.tickmark.workloads.market.consumer;

import io.tickmark.workloads.market.measure.Timings;

/**
 * What one connection did in one interval.
 *
 * @param thread number from 1
 * @param endNs end of the interval
 * @param lengthNs of the interval
 * @param counts of the interval
 * @param updates latencies of updates
 * @param posts latencies of posts that came back
 * @param generics latencies of generic messages
 * @param retrievalNs how long all images took, where the last one came in this interval, else 0
 * @param allImages up to its end
 */
record ConsumerRow(
        int thread,
        long endNs,
        long lengthNs,
        ConsumerTotals counts,
        Timings updates,
        Timings posts,
        Timings generics,
        long retrievalNs,
        long allImages) {}
