package io.tickmark.workloads.market.publisher;

import io.tickmark.kernel.loop.Column;
import io.tickmark.kernel.loop.Columns;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.result.Counts;

/**
 * The counts of one connection, and where they are shown.
 *
 * @param images images sent
 * @param updates updates sent
 * @param loginNs from the login request to its answer
 * @param posts posts that the hub passed on
 * @param noBuffer how often no output buffer was free
 * @param maxLagNs the largest delay of an update after its tick
 * @param maxTightSends most updates in a row without waiting for a tick
 */
record PublisherCounts(
        @Column(csv = "Images sent", summary = "Images sent", metric = "images") Counter images,
        @Column(
                        csv = "Updates sent",
                        consolePerSecond = "UpdRate: %8d",
                        summary = "Updates sent",
                        metric = "updates",
                        metricPerSecond = "updatesPerSecond",
                        count = Counts.SENT,
                        recorded = Counts.SENT)
                Counter updates,
        @Column(metric = "loginRoundTripNs", isLargest = true) Counter loginNs,
        @Column(metric = "posts", isSparse = true) Counter posts,
        @Column(count = Counts.BACK_PRESSURED) Counter noBuffer,
        @Column(isLargest = true, count = Counts.MAX_LAG_NS) Counter maxLagNs,
        @Column(isLargest = true, count = Counts.MAX_TIGHT_SENDS) Counter maxTightSends,
        @Column(isLargest = true) Counter steadyNs) {
    static final Columns<PublisherCounts> COLUMNS = Columns.of(PublisherCounts.class);
}
