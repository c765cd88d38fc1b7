package io.tickmark.workloads.market.provider;

import io.tickmark.workloads.market.measure.Cost;
import io.tickmark.workloads.market.measure.LatencyMeter;

/**
 * What one thread of a provider found out.
 *
 * @param thread number from 1
 * @param startup counts until the images were sent
 * @param steady counts from then on
 * @param servedNs how long of that a consumer had an item open
 * @param maxLagNs largest delay of an update or generic message behind its tick, in the steady
 *     state
 * @param maxTightSends most updates in a row without waiting for a tick, in the steady state
 * @param mostBuffersInUse output buffers of one consumer, looked at once a second; 0 where the
 *     library does not tell
 * @param generics latencies of generic messages received
 * @param cost of the whole seconds of the steady state in which a consumer was there
 * @param costUpdates sent in that time
 */
record ProviderFindings(
        int thread,
        ProviderTotals startup,
        ProviderTotals steady,
        long servedNs,
        long maxLagNs,
        long maxTightSends,
        int mostBuffersInUse,
        LatencyMeter generics,
        Cost cost,
        long costUpdates) {}
