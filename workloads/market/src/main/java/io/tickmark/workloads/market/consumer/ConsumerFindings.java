package io.tickmark.workloads.market.consumer;

import io.tickmark.workloads.market.measure.Cost;
import java.util.List;

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
    record Times(long firstRequestNs, long lastImageNs, long steadyNs, long endNs, long loginNs) {}

    /**
     * From the first request of any of them to the last image of any, in ns; 0 where none came. One
     * that never got to request tells nothing.
     */
    static long retrievalNs(final List<ConsumerFindings> of) {
        final long last = of.stream().mapToLong(one -> one.times().lastImageNs()).max().orElse(0);
        final long first =
                of.stream()
                        .mapToLong(one -> one.times().firstRequestNs())
                        .filter(requestNs -> requestNs != 0)
                        .min()
                        .orElse(last);
        return last == 0 ? 0 : last - first;
    }
}
