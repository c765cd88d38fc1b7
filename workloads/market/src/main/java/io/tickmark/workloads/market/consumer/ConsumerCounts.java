package io.tickmark.workloads.market.consumer;

import io.tickmark.kernel.loop.Column;
import io.tickmark.kernel.loop.Columns;
import io.tickmark.kernel.loop.Timings;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.result.Counts;
import io.tickmark.workloads.market.measure.LatencyKind;

/**
 * The counts and timings of one connection, and where they are shown.
 *
 * @param requests requests sent for items
 * @param images images received
 * @param updates updates received
 * @param posts posts sent
 * @param postsBack posts that came back
 * @param genericsSent generic messages sent
 * @param genericsReceived generic messages received
 * @param loginNs from the login request to its answer; of all connections: the one served last
 *     determines how long a login takes
 * @param suspectItems items that became suspect: their source was unavailable for a while
 * @param recoveredItems of these, those that recovered
 * @param goneItems items that had been suspect for more than 3 s at the end: their source was gone
 * @param closedItems items that the provider closed after all had their image
 * @param repeated requests sent again because they were unanswered
 * @param garbled messages that could not be decoded
 * @param strays messages that belong to no item, or are of a kind that no provider sends
 * @param suspects images with suspect data, such as the placeholders of a hub
 * @param statuses status messages
 * @param nacks posts that the provider refused
 * @param unknownFields fields that are not in the dictionary
 * @param duplicated messages that came more than once
 */
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
        @Column(metric = "loginRoundTripNs", isLargest = true) Counter loginNs,
        @Column(
                        metric = "suspectItems",
                        isSparse = true,
                        group = SUSPECT_ITEMS,
                        warning =
                                "%d item{|s} became suspect and {%d|%d of them} recovered: {its|their} source "
                                        + "behind %s was unavailable for a while.")
                Counter suspectItems,
        @Column(metric = "recoveredItems", isSparse = true, group = SUSPECT_ITEMS)
                Counter recoveredItems,
        @Column(
                        metric = "goneItems",
                        isSparse = true,
                        failure =
                                "%d item{ was|s were} suspect at the end: {its|their} source behind %s had been "
                                        + "gone for more than 3 s, and what it sent meanwhile is unknown.")
                Counter goneItems,
        @Column(
                        metric = "closedItems",
                        isSparse = true,
                        warning =
                                "%d item{ was|s were} closed by the provider, the last one %s; nothing was received for"
                                        + " {it|them} from then on.")
                Counter closedItems,
        @Column(
                        metric = "requestsRepeated",
                        isSparse = true,
                        warning =
                                "%d request{ was|s were} sent again, as {it was|they were} not answered within %s"
                                        + " (--request-timeout).")
                Counter repeated,
        @Column(
                        metric = "messagesUnreadable",
                        isSparse = true,
                        failure = "%d message{|s} could not be decoded.")
                Counter garbled,
        @Column(
                        metric = "messagesIgnored",
                        isSparse = true,
                        warning =
                                "%d message{ was|s were} ignored: {it belongs|they belong} to no requested item, "
                                        + "or {is|are} of a kind that no provider sends.")
                Counter strays,
        @Column(metric = "suspectImages", isSparse = true) Counter suspects,
        @Column(metric = "statuses", isSparse = true) Counter statuses,
        @Column(isLargest = true) Counter retrievalNs,
        @Column(warning = "%d post{ was|s were} refused by the provider.") Counter nacks,
        @Column(
                        warning =
                                "%d field{ is|s are} not in the dictionary and {was|were} not decoded; name the provider's"
                                        + " with --field-dictionary and --enum-dictionary.")
                Counter unknownFields,
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
