package io.tickmark.workloads.market.provider;

import io.tickmark.kernel.loop.Column;
import io.tickmark.kernel.loop.Columns;
import io.tickmark.kernel.loop.Timings;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.result.Counts;

/**
 * The counts and timings of one thread of a provider, and where they are shown.
 *
 * @param connections consumers that connected
 * @param requests requests for items
 * @param images images sent
 * @param updates updates sent
 * @param posts posts received
 * @param reflected posts that went back to consumers
 * @param genericsSent generic messages sent
 * @param genericsReceived generic messages received
 * @param refused requests that were refused
 * @param garbled messages that could not be decoded
 * @param ignored messages of a kind that consumers have no reason to send
 * @param unreflected posts that went to no consumer
 * @param unsent answers to consumers that could not be sent and were dropped
 * @param noBuffer how often no output buffer was free; in the steady state the count {@code
 *     backPressured}
 * @param mostBuffersInUse most output buffers that one consumer had in use, sampled once a second;
 *     the Message API does not report it
 * @param slowConsumers consumers disconnected because too much was queued for them
 * @param genericsLost generic messages that were lost on the way here
 * @param wantedUpdatesE6 updates required by the rates, in millionths of a message
 * @param wantedGenericsE6 generic messages required by the rates, in millionths of a message
 * @param leastGenerics of these, the messages of the ticks that were over
 * @param servedNs how long of the steady state a consumer had an item open
 * @param maxLagNs largest delay of an update or generic message after its tick, in the steady state
 * @param maxTightSends most updates in a row without waiting for a tick, in the steady state
 */
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
                                "%d request{ was|s were} refused; compare service and domains of both sides.")
                Counter refused,
        @Column(
                        metric = "messagesUnreadable",
                        isSparse = true,
                        warning = "%d message{|s} could not be decoded.")
                Counter garbled,
        @Column(
                        metric = "messagesIgnored",
                        isSparse = true,
                        warning =
                                "%d message{ was|s were} ignored: {it is|they are} of a kind that consumers do "
                                        + "not send.")
                Counter ignored,
        @Column(
                        metric = "postsNotReflected",
                        isSparse = true,
                        warning =
                                "%d post{|s} reached no consumer: {it was|they were} not on an item's stream, or "
                                        + "held no readable image or update.")
                Counter unreflected,
        @Column(
                        metric = "answersDropped",
                        isSparse = true,
                        warning =
                                "%d answer{|s} to consumers could not be sent and {was|were} dropped.")
                Counter unsent,
        @Column(metric = "noBuffer", isSparse = true, count = Counts.BACK_PRESSURED)
                Counter noBuffer,
        @Column(metric = "mostBuffersInUse", isLargest = true, isSparse = true, group = BUFFERS)
                Counter mostBuffersInUse,
        @Column(
                        metric = "slowConsumers",
                        isSparse = true,
                        warning =
                                "%d consumer{ was|s were} disconnected, because too much was queued for {it|them}"
                                        + " (--max-queued-bytes).")
                Counter slowConsumers,
        @Column(
                        warning =
                                "%d generic message{|s} from consumers {was|were} lost on the way here: the "
                                        + "sequence numbers have gaps.")
                Counter genericsLost,
        @Column Counter wantedUpdatesE6,
        @Column Counter wantedGenericsE6,
        @Column Counter leastGenerics,
        @Column(isLargest = true) Counter servedNs,
        @Column(isLargest = true, count = Counts.MAX_LAG_NS) Counter maxLagNs,
        @Column(isLargest = true, count = Counts.MAX_TIGHT_SENDS) Counter maxTightSends) {
    static final Columns<ProviderCounts> COLUMNS = Columns.of(ProviderCounts.class);
    static final String POSTS = "posts";
    static final String GENERICS = "generics";
    static final String BUFFERS = "buffers";
}
