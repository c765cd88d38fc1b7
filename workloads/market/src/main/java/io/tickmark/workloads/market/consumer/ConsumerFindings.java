package io.tickmark.workloads.market.consumer;

import io.tickmark.workloads.market.measure.Cost;

/**
 * What one connection found out.
 *
 * @param thread number from 1
 * @param startup counts up to the steady state
 * @param steady counts of the steady state
 * @param times of its life
 * @param intake with its meters
 * @param items with their states
 * @param posts null where it did not post
 * @param generics null where it sent none
 * @param cost of the steady state
 */
record ConsumerFindings(
        int thread,
        ConsumerTotals startup,
        ConsumerTotals steady,
        Times times,
        ItemIntake intake,
        WatchedItems items,
        ItemMessages posts,
        ItemMessages generics,
        Cost cost) {
    /**
     * Times of a connection, in ns; 0 for what did not come.
     *
     * @param firstRequestNs when the first item was requested
     * @param lastImageNs when the last image came
     * @param steadyNs when the steady state began
     * @param endNs when it ended
     * @param loginNs from the login request to its answer
     */
    record Times(long firstRequestNs, long lastImageNs, long steadyNs, long endNs, long loginNs) {
        long retrievalNs() {
            return lastImageNs == 0 ? 0 : lastImageNs - firstRequestNs;
        }
    }

    ConsumerTotals overall() {
        final ConsumerTotals all = startup.copy();
        all.add(steady, 1);
        return all;
    }
}
