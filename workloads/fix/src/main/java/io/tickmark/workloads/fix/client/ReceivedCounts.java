package io.tickmark.workloads.fix.client;

import io.tickmark.kernel.loop.Column;
import io.tickmark.kernel.loop.Columns;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.result.Counts;

/** The counts of one thread of consumers, and where they are shown. */
record ReceivedCounts(
        @Column(count = Counts.RECEIVED) Counter received,
        @Column(count = Counts.DUPLICATED) Counter duplicated,
        @Column(count = Counts.CORRUPTED) Counter garbled,
        @Column(count = "sequenceGaps") Counter missed,
        @Column(metric = "warmUpReceived") Counter warmUps,
        // of a gateway that fans out all messages: those that were not marked to
        @Column(metric = "unmarkedReceived") Counter unmarked,
        @Column(metric = "foreignMessages") Counter foreign,
        // from the first measured message to the last
        @Column(isLargest = true) Counter durationNs,
        @Column(isLargest = true) Counter messageBytes) {
    static final Columns<ReceivedCounts> COLUMNS = Columns.of(ReceivedCounts.class);
}
