package io.tickmark.workloads.market.consumer;

import io.tickmark.kernel.loop.Column;
import io.tickmark.kernel.loop.Columns;
import io.tickmark.kernel.loop.Timings;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.result.Counts;
import io.tickmark.workloads.market.measure.LatencyKind;

/** The counts and timings of one connection, and where they are shown. */
record ConsumerCounts(
        @Column(csv = "Latency updates", console = "Latency", summary = "Latency")
                Timings updateLatency,
        @Column(summary = "Requests sent", metric = "requests") Counter requests,
        @Column(summary = "Refreshes received") Counter refreshes,
        @Column(csv = "Images", console = "Images: %6d", metric = "images", recorded = "images")
                Counter images,
        @Column(
                        csvPerSecond = "Update rate (msg/sec)",
                        consolePerSecond = "UpdRate: %8d",
                        summary = "Updates received",
                        metric = "updates",
                        metricPerSecond = "updatesPerSecond",
                        count = "updates",
                        recorded = Counts.RECEIVED)
                Counter updates,
        @Column(
                        csv = "Posting Latency updates",
                        console = "PostingLatency",
                        summary = "Posting Latency",
                        group = POSTS)
                Timings postLatency,
        @Column(
                        console = "Posts: %6d",
                        summary = "Posts sent",
                        metric = "posts",
                        count = "posts",
                        group = POSTS)
                Counter posts,
        @Column(
                        summary = "Posts received",
                        metric = "postsBack",
                        count = "postsBack",
                        group = POSTS)
                Counter postsBack,
        @Column(
                        csv = "GenMsgs sent",
                        summary = "GenMsgs sent",
                        metric = "genericMessagesSent",
                        count = "genericMessagesSent",
                        group = GENERICS)
                Counter genericsSent,
        @Column(
                        csv = "GenMsgs received",
                        summary = "GenMsgs received",
                        metric = "genericMessages",
                        count = "genericMessages",
                        group = GENERICS)
                Counter genericsReceived,
        @Column(csv = "GenMsg Latencies sent", summary = "GenMsg latencies sent", group = GENERICS)
                Counter genericLatenciesSent,
        @Column(
                        csv = "GenMsg latencies received",
                        console = "GenMsgLatency",
                        summary = "GenMsg Latency")
                Timings genericLatency,
        // of all connections: the one served last determines how long a login takes
        @Column(metric = "loginRoundTripNs", isLargest = true) Counter loginNs,
        @Column(metric = "suspectItems", isSparse = true, group = SUSPECT_ITEMS)
                Counter suspectItems,
        @Column(metric = "recoveredItems", isSparse = true, group = SUSPECT_ITEMS)
                Counter recoveredItems,
        @Column(metric = "requestsRepeated", isSparse = true) Counter repeated,
        @Column(metric = "messagesUnreadable", isSparse = true) Counter garbled,
        @Column(
                        metric = "messagesIgnored",
                        isSparse = true,
                        warning =
                                "%d messages were ignored: they belong to no item that was asked for, or are of a kind"
                                        + " no provider sends.")
                Counter strays,
        @Column(metric = "suspectImages", isSparse = true) Counter suspects,
        @Column(metric = "statuses", isSparse = true) Counter statuses,
        @Column(isLargest = true) Counter retrievalNs,
        @Column(warning = "%d posts were refused by the provider.") Counter nacks,
        @Column Counter lost,
        @Column(count = Counts.DUPLICATED) Counter duplicated) {
    static final Columns<ConsumerCounts> COLUMNS = Columns.of(ConsumerCounts.class);
    static final String POSTS = "posts";
    static final String GENERICS = "generics";
    static final String SUSPECT_ITEMS = "suspectItems";

    Timings latency(final LatencyKind kind) {
        return switch (kind) {
            case UPDATE -> updateLatency;
            case POST -> postLatency;
            case GENERIC -> genericLatency;
        };
    }
}
