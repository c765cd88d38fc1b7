package io.tickmark.workloads.fix.client;

import io.tickmark.kernel.loop.Column;
import io.tickmark.kernel.loop.Columns;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.result.Counts;

/** The counts of one thread of producers, and where they are shown; without the warm-up. */
record ProducerCounts(
        @Column(count = Counts.SENT) Counter sent,
        @Column(count = "fannedOut") Counter fannedOut,
        @Column(count = Counts.MAX_TIGHT_SENDS, isLargest = true) Counter maxTightSends,
        @Column(count = Counts.MAX_LAG_NS, isLargest = true) Counter maxLagNs,
        // how often the gateway left no room for a message
        @Column(count = Counts.BACK_PRESSURED) Counter refused,
        // messages that the gateway rejected (35=3 or 35=j), including those of warm-up and end
        @Column(count = "rejectsReceived") Counter rejected,
        // from the start to the last message
        @Column(isLargest = true) Counter durationNs) {
    static final Columns<ProducerCounts> COLUMNS = Columns.of(ProducerCounts.class);
}
