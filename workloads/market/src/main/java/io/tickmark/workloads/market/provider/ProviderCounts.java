package io.tickmark.workloads.market.provider;

import io.tickmark.kernel.loop.Column;
import io.tickmark.kernel.loop.Columns;
import io.tickmark.kernel.loop.Timings;
import io.tickmark.kernel.record.Counter;

/** The counts and timings of one thread of a provider, and where they are shown. */
record ProviderCounts(
        @Column(metric = "connections") Counter connections,
        @Column(csv = "Requests received", summary = "Image requests received", metric = "requests")
                Counter requests,
        @Column(
                        csv = "Images sent",
                        summary = "Images sent",
                        metric = "images",
                        recorded = "imagesSent")
                Counter images,
        @Column(
                        csv = "Updates sent",
                        consolePerSecond = "UpdRate: %8d",
                        summary = "Updates sent",
                        metric = "updates",
                        metricPerSecond = "updatesPerSecond",
                        recorded = "updatesSent")
                Counter updates,
        @Column(
                        summary = "Posts received",
                        metric = "posts",
                        group = POSTS,
                        recorded = "postsReceived")
                Counter posts,
        @Column(
                        csv = "Posts reflected",
                        summary = "Posts reflected",
                        metric = "postsReflected",
                        group = POSTS)
                Counter reflected,
        @Column(
                        csv = "GenMsgs sent",
                        summary = "GenMsgs sent",
                        metric = "genericMessagesSent",
                        group = GENERICS,
                        recorded = "genericMessagesSent")
                Counter genericsSent,
        @Column(
                        csv = "GenMsgs received",
                        summary = "GenMsgs received",
                        metric = "genericMessages",
                        group = GENERICS,
                        recorded = "genericMessagesReceived")
                Counter genericsReceived,
        @Column(csv = "GenMsg Latencies sent") Counter genericLatenciesSent,
        @Column(csv = "GenMsg latencies received", summary = "GenMsg Latency")
                Timings genericLatency,
        @Column(metric = "requestsRefused", isSparse = true) Counter refused,
        @Column(metric = "messagesUnreadable", isSparse = true) Counter garbled,
        @Column(metric = "messagesIgnored", isSparse = true) Counter ignored,
        @Column(metric = "postsNotReflected", isSparse = true) Counter unreflected,
        @Column(metric = "answersDropped", isSparse = true) Counter unsent,
        @Column(metric = "noBuffer", isSparse = true) Counter noBuffer,
        // output buffers of one consumer, sampled once a second; 0 where the library does not
        // report it
        @Column(metric = "mostBuffersInUse", isLargest = true, isSparse = true, group = BUFFERS)
                Counter mostBuffersInUse,
        @Column(metric = "slowConsumers", isSparse = true) Counter slowConsumers,
        @Column Counter genericsLost,
        // messages required by the rates, in millionths of a message
        @Column Counter wantedUpdatesE6,
        @Column Counter wantedGenericsE6,
        // how long of the steady state a consumer had an item open
        @Column(isLargest = true) Counter servedNs,
        // largest delay of an update or generic message after its tick, in the steady state
        @Column(isLargest = true) Counter maxLagNs,
        // most updates in a row without waiting for a tick, in the steady state
        @Column(isLargest = true) Counter maxTightSends) {
    static final Columns<ProviderCounts> COLUMNS = Columns.of(ProviderCounts.class);
    static final String POSTS = "posts";
    static final String GENERICS = "generics";
    static final String BUFFERS = "buffers";
}
