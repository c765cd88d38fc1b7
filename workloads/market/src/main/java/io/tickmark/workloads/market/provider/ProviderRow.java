package io.tickmark.workloads.market.provider;

import io.tickmark.workloads.market.measure.Timings;

/**
 * What one thread of a provider did in one interval.
 *
 * @param thread number from 1
 * @param endNs end of the interval
 * @param lengthNs of the interval
 * @param counts of the interval
 * @param totals up to its end
 * @param generics latencies of generic messages
 */
record ProviderRow(
        int thread,
        long endNs,
        long lengthNs,
        ProviderTotals counts,
        ProviderTotals totals,
        Timings generics) {}
