package io.tickmark.workloads.market.hub;

import io.tickmark.kernel.loop.Column;
import io.tickmark.kernel.loop.Columns;
import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.Recording;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** The counts of the hub; one writer. */
final class HubCounts {
    private final Traffic traffic;
    private final Map<Counter, List<Object>> examples = new HashMap<>();

    /**
     * What goes through the hub, and everything that it drops, omits or disconnects: each of these
     * that is not zero is reported at the end of a run with its first case, and some of it fails
     * the run.
     *
     * @param updatesIn updates that came in
     * @param updatesOut updates that consumers got
     * @param imagesIn images that came in
     * @param imagesOut images that consumers got
     * @param placeholders images without content in place of those that the hub does not hold, with
     *     {@code --placeholders}
     * @param standbyImages images without content, for consumers whose standby the hub was
     * @param posts posts of consumers
     * @param acknowledgements answers to posts
     * @param genericMessages generic messages that came in
     * @param items items in the cache
     * @param consumers consumers that are connected
     * @param noBuffer messages that found no output buffer and waited
     * @param mostQueuedBytes the most that ever waited for one consumer
     * @param imagesUnreadable images of providers that could not be read and were not cached
     * @param imagesDropped images that left the cache because what came for them could not be
     *     merged
     * @param imagesNotCached images that are neither field lists nor maps of them, passed on only
     * @param requestsRefused requests for items that the hub does not hold, services that do not
     *     exist, batches and views that cannot be read, batches and other items on open streams,
     *     unknown dictionaries
     * @param requestsRepeated requests sent again because they were unanswered
     * @param requestsUnanswered requests for items for which the provider had sent nothing when the
     *     last consumer left, the provider was lost or the hub ended
     * @param postsRefused posts that were not accepted, whether an acknowledgement was asked for or
     *     not
     * @param genericMessagesDropped generic messages of consumers that no provider accepts
     * @param messagesIgnored messages that belong to no item or to another than that of their
     *     stream, or whose class makes no sense from that sender
     * @param messagesUnreadable messages that the library handed over without content, or whose
     *     field names may stand for other fields than in their service's dictionary
     * @param peersUnreadable connections ended because what arrived could not be read
     * @param peersUndeliverable connections ended because a message could not be sent
     * @param connectionsRefused failed attempts to accept a connection, for example for lack of
     *     file handles ({@code ulimit -n}); ten attempts a second until one succeeds
     * @param slowConsumers consumers disconnected because too much was queued for them
     * @param jsonFieldsSkipped fields left out for consumers over JSON
     * @param jsonNotSeparated messages that went out whole over JSON although the converter may
     *     call fields in them by another provider's names: what they hold is neither a field list
     *     nor a map of such
     * @param viewsNotKept messages that went out whole to a consumer with a view, because their
     *     fields cannot be separated, such as those of a vector
     * @param dictionariesMissing times a provider did not give the dictionary that its directory
     *     offers
     * @param dictionaryConflicts fields that have another name, type or enumeration in one
     *     provider's dictionary than in another's, or in the hub's own where that is used
     */
    record Traffic(
            @Column(metric = "updatesIn", recorded = "updatesIn") Counter updatesIn,
            @Column(metric = "updatesOut", recorded = "updatesOut") Counter updatesOut,
            @Column(metric = "imagesIn", recorded = "imagesIn") Counter imagesIn,
            @Column(metric = "imagesOut", recorded = "imagesOut") Counter imagesOut,
            @Column(metric = "placeholders", isSparse = true, recorded = "placeholders")
                    Counter placeholders,
            @Column(metric = "standbyImages", isSparse = true, recorded = "standbyImages")
                    Counter standbyImages,
            @Column(metric = "posts", recorded = "posts") Counter posts,
            @Column(metric = "acknowledgements", recorded = "acknowledgements")
                    Counter acknowledgements,
            @Column(metric = "genericMessages", recorded = "genericMessages")
                    Counter genericMessages,
            @Column(metric = "items", recorded = "items") Counter items,
            @Column(recorded = "consumers") Counter consumers,
            @Column(
                            metric = "noBuffer",
                            recorded = "noBuffer",
                            warning =
                                    "The hub found no output buffer for %d message{|s}, which waited in its queues: those"
                                            + " that read from it are the saturated side; more --output-buffers carry longer"
                                            + " bursts, at the price of latency.")
                    Counter noBuffer,
            @Column(metric = "mostQueuedBytes", isLargest = true) Counter mostQueuedBytes,
            @Column(
                            metric = "imagesUnreadable",
                            recorded = "imagesUnreadable",
                            isSparse = true,
                            failure =
                                    "%d image{|s} of providers could not be read and {was|were} not cached%s.")
                    Counter imagesUnreadable,
            @Column(
                            metric = "imagesDropped",
                            recorded = "imagesDropped",
                            isSparse = true,
                            failure =
                                    "%d image{ was|s were} dropped from the cache, because what arrived for "
                                            + "{it|them} could not be merged%s.")
                    Counter imagesDropped,
            @Column(
                            metric = "imagesNotCached",
                            recorded = "imagesNotCached",
                            isSparse = true,
                            warning =
                                    "%d image{ was|s were} passed on without being cached: {it is|they are} "
                                            + "neither {a field list nor a map of such|field lists nor maps of them}%s.")
                    Counter imagesNotCached,
            @Column(
                            metric = "requestsRefused",
                            recorded = "requestsRefused",
                            isSparse = true,
                            warning = "%d request{|s} of consumers {was|were} refused%s.")
                    Counter requestsRefused,
            @Column(
                            metric = "requestsRepeated",
                            recorded = "requestsRepeated",
                            isSparse = true,
                            warning =
                                    "%d request{ was|s were} sent again, as providers left {it|them} unanswered "
                                            + "(--request-timeout)%s.")
                    Counter requestsRepeated,
            @Column(
                            metric = "requestsUnanswered",
                            recorded = "requestsUnanswered",
                            isSparse = true,
                            warning =
                                    "%d request{ for an item|s for items} stayed unanswered: the provider had sent nothing for "
                                            + "{it|them} when the last consumer left, the provider was lost or the hub "
                                            + "ended%s.")
                    Counter requestsUnanswered,
            @Column(
                            metric = "postsRefused",
                            recorded = "postsRefused",
                            isSparse = true,
                            warning = "%d post{|s} of consumers {was|were} refused%s.")
                    Counter postsRefused,
            @Column(
                            metric = "genericMessagesDropped",
                            recorded = "genericMessagesDropped",
                            isSparse = true,
                            warning =
                                    "%d generic message{|s} of consumers reached no provider: publishers and the "
                                            + "hub's own service accept none, nor does a service that has lost its "
                                            + "provider%s.")
                    Counter genericMessagesDropped,
            @Column(
                            metric = "messagesIgnored",
                            recorded = "messagesIgnored",
                            isSparse = true,
                            warning =
                                    "%d message{ was|s were} ignored: {it belongs|they belong} to nothing here%s.")
                    Counter messagesIgnored,
            @Column(
                            metric = "messagesUnreadable",
                            recorded = "messagesUnreadable",
                            isSparse = true,
                            warning =
                                    "%d message{|s} of peers could not be read and {was|were} dropped%s.")
                    Counter messagesUnreadable,
            @Column(
                            metric = "peersUnreadable",
                            recorded = "peersUnreadable",
                            isSparse = true,
                            warning =
                                    "%d connection{ was|s were} ended, because what arrived on {it|them} could not "
                                            + "be read%s.")
                    Counter peersUnreadable,
            @Column(
                            metric = "peersUndeliverable",
                            recorded = "peersUndeliverable",
                            isSparse = true,
                            warning =
                                    "%d connection{ was|s were} ended, because a message could not be sent on "
                                            + "{it|them}%s.")
                    Counter peersUndeliverable,
            @Column(
                            metric = "connectionsRefused",
                            recorded = "connectionsRefused",
                            isSparse = true,
                            warning = "%d connection{|s} could not be accepted%s.")
                    Counter connectionsRefused,
            @Column(
                            metric = "slowConsumers",
                            recorded = "slowConsumers",
                            warning =
                                    "%d consumer{ was|s were} disconnected, because too much was queued for "
                                            + "{it|them} (--max-queued-bytes)%s.")
                    Counter slowConsumers,
            @Column(
                            metric = "jsonFieldsSkipped",
                            recorded = "jsonFieldsSkipped",
                            isSparse = true,
                            warning =
                                    "%d field{ was|s were} left out of what consumers got as JSON, because "
                                            + "{it|they} cannot be converted to it%s.")
                    Counter jsonFieldsSkipped,
            @Column(
                            metric = "jsonNotSeparated",
                            recorded = "jsonNotSeparated",
                            isSparse = true,
                            warning =
                                    "%d message{|s} went out whole to consumers over JSON, as {its|their} fields "
                                            + "cannot be separated: those may have the names of another provider's "
                                            + "dictionary%s.")
                    Counter jsonNotSeparated,
            @Column(
                            metric = "viewsNotKept",
                            recorded = "viewsNotKept",
                            isSparse = true,
                            warning =
                                    "%d message{|s} went out whole to consumers with a view, as {its|their} fields "
                                            + "cannot be separated%s.")
                    Counter viewsNotKept,
            @Column(
                            metric = "dictionariesMissing",
                            recorded = "dictionariesMissing",
                            isSparse = true,
                            warning =
                                    "%d time{|s} a provider did not give the dictionary that its directory "
                                            + "offers%s.")
                    Counter dictionariesMissing,
            @Column(
                            metric = "dictionaryConflicts",
                            recorded = "dictionaryConflicts",
                            isSparse = true,
                            warning =
                                    "%d field{ has|s have} another name, type or enumeration in one provider's "
                                            + "dictionary than in another's or the hub's own%s.")
                    Counter dictionaryConflicts) {
        static final Columns<Traffic> COLUMNS = Columns.of(Traffic.class);
    }

    HubCounts(final Recording recording) {
        traffic = new LoopCounts<>(Traffic.COLUMNS, 1, recording).live();
    }

    Traffic traffic() {
        return traffic;
    }

    /** Counts one; the first of its kind is reported with the reason. */
    void dropped(final Function<Traffic, Counter> what, final Supplier<String> which) {
        dropped(what, 1, which);
    }

    void dropped(
            final Function<Traffic, Counter> what, final long count, final Supplier<String> which) {
        final Counter counter = what.apply(traffic);
        counter.add(count);
        if (!examples.containsKey(counter)) {
            final String first = which.get();
            examples.put(counter, List.of(first.isEmpty() ? "" : "; the first: " + first));
        }
    }

    List<String> warnings() {
        return Traffic.COLUMNS.warnings(traffic, examples);
    }

    List<String> failures() {
        return Traffic.COLUMNS.failures(traffic, examples);
    }

    Map<String, Object> metrics() {
        return Traffic.COLUMNS.metrics(traffic, traffic, 0, Set.of(), Map.of());
    }

    /** Images and updates that consumers got; a placeholder or standby image is neither. */
    long served() {
        return traffic.imagesOut().get() + traffic.updatesOut().get();
    }
}
