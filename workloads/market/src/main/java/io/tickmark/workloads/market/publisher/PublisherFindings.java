package io.tickmark.workloads.market.publisher;

import io.tickmark.workloads.market.measure.Cost;

/**
 * What one connection of a publisher found out.
 *
 * @param thread number from 1
 * @param items that it publishes
 * @param images sent
 * @param updates sent in the steady state
 * @param posts that the hub passed on
 * @param noBuffer how often no output buffer was free in the steady state
 * @param cost of the steady state
 * @param times of its life
 */
record PublisherFindings(
        int thread,
        int items,
        long images,
        long updates,
        long posts,
        long noBuffer,
        Cost cost,
        Times times) {
    /**
     * Times in ns.
     *
     * @param steadyNs length of the steady state
     * @param loginNs from the login request to its answer
     * @param maxLagNs largest delay of an update behind its tick
     * @param maxTightSends most updates in a row without waiting for a tick; a count
     */
    record Times(long steadyNs, long loginNs, long maxLagNs, long maxTightSends) {}
}
