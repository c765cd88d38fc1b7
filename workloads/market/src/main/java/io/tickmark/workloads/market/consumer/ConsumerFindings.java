package io.tickmark.workloads.market.consumer;

import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.workloads.market.measure.Cost;
import java.util.List;

/**
 * What one connection found out.
 *
 * @param counts that it made
 * @param times of its life
 * @param intake of what it received
 * @param items with their states
 * @param posts null where it did not post
 * @param generics null where it sent none
 * @param cost of the steady state
 */
record ConsumerFindings(
        LoopCounts<ConsumerCounts> counts,
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
     */
    record Times(long firstRequestNs, long lastImageNs, long steadyNs, long endNs) {}

    /** The longest startup state of those that got to request, in ns. */
    static long startupNs(final List<ConsumerFindings> of) {
        return of.stream()
                .map(ConsumerFindings::times)
                .filter(times -> times.firstRequestNs() != 0)
                .mapToLong(times -> times.steadyNs() - times.firstRequestNs())
                .max()
                .orElse(0);
    }

    /** The longest steady state, in ns. */
    static long steadyNs(final List<ConsumerFindings> of) {
        return of.stream()
                .map(ConsumerFindings::times)
                .mapToLong(times -> times.endNs() - times.steadyNs())
                .max()
                .orElse(0);
    }

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
