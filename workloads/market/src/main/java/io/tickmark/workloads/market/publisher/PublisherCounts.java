package io.tickmark.workloads.market.publisher;

import io.tickmark.kernel.loop.Column;
import io.tickmark.kernel.loop.Columns;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.result.Counts;

/** The counts of one connection, and where they are shown. */
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
        // those that the hub passed on
        @Column(metric = "posts", isSparse = true) Counter posts,
        // how often no output buffer was free
        @Column(count = Counts.BACK_PRESSURED) Counter noBuffer,
        // the largest delay of an update after its tick
        @Column(isLargest = true, count = Counts.MAX_LAG_NS) Counter maxLagNs,
        // most updates in a row without waiting for a tick
        @Column(isLargest = true, count = Counts.MAX_TIGHT_SENDS) Counter maxTightSends,
        @Column(isLargest = true) Counter steadyNs) {
    static final Columns<PublisherCounts> COLUMNS = Columns.of(PublisherCounts.class);
}
