package io.tickmark.workloads.market.provider;

import io.tickmark.kernel.loop.Column;
import io.tickmark.kernel.loop.Columns;
import io.tickmark.kernel.loop.Timings;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.result.Counts;

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
        @Column(
                        metric = "requestsRefused",
                        isSparse = true,
                        warning =
                                "%d requests were refused; compare service and domains of both sides.")
                Counter refused,
        @Column(
                        metric = "messagesUnreadable",
                        isSparse = true,
                        warning = "%d messages could not be decoded.")
                Counter garbled,
        @Column(
                        metric = "messagesIgnored",
                        isSparse = true,
                        warning =
                                "%d messages were ignored: consumers have no reason to send their kind.")
                Counter ignored,
        @Column(
                        metric = "postsNotReflected",
                        isSparse = true,
                        warning =
                                "%d posts reached no consumer: they were on no item's stream, or held neither an image nor"
                                        + " an update that can be read.")
                Counter unreflected,
        @Column(
                        metric = "answersDropped",
                        isSparse = true,
                        warning = "%d answers to consumers could not be sent and were dropped.")
                Counter unsent,
        @Column(metric = "noBuffer", isSparse = true, count = Counts.BACK_PRESSURED)
                Counter noBuffer,
        // output buffers of one consumer, sampled once a second; 0 where the library does not
        // report it
        @Column(metric = "mostBuffersInUse", isLargest = true, isSparse = true, group = BUFFERS)
                Counter mostBuffersInUse,
        @Column(
                        metric = "slowConsumers",
                        isSparse = true,
                        warning =
                                "%d consumers were disconnected, because too much was queued for them (--max-queued-bytes).")
                Counter slowConsumers,
        @Column(
                        warning =
                                "%d generic messages of consumers were lost on their way here: their numbers have gaps.")
                Counter genericsLost,
        // messages required by the rates, in millionths of a message
        @Column Counter wantedUpdatesE6,
        @Column Counter wantedGenericsE6,
        // how long of the steady state a consumer had an item open
        @Column(isLargest = true) Counter servedNs,
        // largest delay of an update or generic message after its tick, in the steady state
        @Column(isLargest = true, count = Counts.MAX_LAG_NS) Counter maxLagNs,
        // most updates in a row without waiting for a tick, in the steady state
        @Column(isLargest = true, count = Counts.MAX_TIGHT_SENDS) Counter maxTightSends) {
    static final Columns<ProviderCounts> COLUMNS = Columns.of(ProviderCounts.class);
    static final String POSTS = "posts";
    static final String GENERICS = "generics";
    static final String BUFFERS = "buffers";
}
