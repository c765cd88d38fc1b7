package io.tickmark.workloads.market.hub;

import io.tickmark.kernel.loop.Column;
import io.tickmark.kernel.loop.Columns;
import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.Recording;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** The counts of the hub; one writer. */
final class HubCounts {
    private final Traffic traffic;
    private final Map<Drop, Counter> drops = new EnumMap<>(Drop.class);
    private final Map<Drop, String> examples = new EnumMap<>(Drop.class);

    /** What goes through the hub, and where it is shown. */
    record Traffic(
            @Column(metric = "updatesIn", recorded = "updatesIn") Counter updatesIn,
            @Column(metric = "updatesOut", recorded = "updatesOut") Counter updatesOut,
            @Column(metric = "imagesIn", recorded = "imagesIn") Counter imagesIn,
            @Column(metric = "imagesOut", recorded = "imagesOut") Counter imagesOut,
            // images without content in place of those that the hub does not hold (--placeholders)
            @Column(metric = "placeholders", isSparse = true, recorded = "placeholders")
                    Counter placeholders,
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
                                    "The hub found no output buffer for %d messages, which waited in its queues: those that"
                                            + " read from it are the saturated side; more --output-buffers carry longer"
                                            + " bursts, at the price of latency.")
                    Counter noBuffer) {
        static final Columns<Traffic> COLUMNS = Columns.of(Traffic.class);
    }

    /**
     * Everything that the hub drops, omits or disconnects: each count that is not zero is reported
     * at the end of a run, and some of it fails the run.
     */
    enum Drop {
        IMAGES_UNREADABLE(
                "imagesUnreadable",
                true,
                "%d images of providers could not be read and were not cached"),
        IMAGES_DROPPED(
                "imagesDropped",
                true,
                "%d images were dropped from the cache, because what arrived for them could not be merged"),
        IMAGES_NOT_CACHED(
                "imagesNotCached",
                false,
                "%d images were passed on without being cached: they are neither field lists nor maps of them"),
        REQUESTS_REFUSED("requestsRefused", false, "%d requests of consumers were refused"),
        REQUESTS_REPEATED(
                "requestsRepeated",
                false,
                "%d requests were sent again, as providers left them unanswered (--request-timeout)"),
        POSTS_REFUSED("postsRefused", false, "%d posts of consumers were refused"),
        GENERICS_DROPPED(
                "genericMessagesDropped",
                false,
                "%d generic messages of consumers reached no provider: publishers and the hub's own service accept none, nor "
                        + "does a service that has lost its provider"),
        MESSAGES_IGNORED(
                "messagesIgnored", false, "%d messages were ignored: they belong to nothing here"),
        MESSAGES_UNREADABLE(
                "messagesUnreadable",
                false,
                "%d messages of peers could not be read and were dropped"),
        PEERS_UNREADABLE(
                "peersUnreadable",
                false,
                "%d connections were ended, because what arrived on them could not be read"),
        PEERS_UNDELIVERABLE(
                "peersUndeliverable",
                false,
                "%d connections were ended, because a message could not be sent on them"),
        CONNECTIONS_REFUSED("connectionsRefused", false, "%d connections could not be accepted"),
        SLOW_CONSUMERS(
                "slowConsumers",
                false,
                "%d consumers were disconnected, because too much was queued for them (--max-queued-bytes)"),
        JSON_FIELDS_SKIPPED(
                "jsonFieldsSkipped",
                false,
                "%d fields were left out of what consumers got as JSON, because they cannot be converted to it"),
        VIEWS_NOT_KEPT(
                "viewsNotKept",
                false,
                "%d messages went out whole to consumers with a view, as their fields cannot be separated"),
        DICTIONARIES_MISSING(
                "dictionariesMissing",
                false,
                "%d times a provider did not give the dictionary that its directory offers"),
        DICTIONARY_CONFLICTS(
                "dictionaryConflicts",
                false,
                "%d fields are of another type in one provider's dictionary than in another's");

        private final String counterName;
        private final boolean fails;
        private final String sentence;

        Drop(final String counterName, final boolean fails, final String sentence) {
            this.counterName = counterName;
            this.fails = fails;
            this.sentence = sentence;
        }
    }

    HubCounts(final Recording recording) {
        traffic = new LoopCounts<>(Traffic.COLUMNS, 1, recording).live();
        for (final Drop each : Drop.values()) {
            drops.put(each, recording.counter(each.counterName));
        }
    }

    Traffic traffic() {
        return traffic;
    }

    /** Counts one; the first of its kind is reported with the reason. */
    void dropped(final Drop what, final Supplier<String> which) {
        dropped(what, 1, which);
    }

    void dropped(final Drop what, final long count, final Supplier<String> which) {
        drops.get(what).add(count);
        if (!examples.containsKey(what)) {
            examples.put(what, which.get());
        }
    }

    long of(final Drop what) {
        return drops.get(what).get();
    }

    /** Of each kind that there is, a sentence; of those that fail a run, or of the others. */
    List<String> sentences(final boolean thatFail) {
        final List<String> sentences = new ArrayList<>();
        drops.forEach((what, counter) -> {
            if (what.fails == thatFail && counter.get() > 0) {
                final String example = examples.getOrDefault(what, "");
                sentences.add(
                        what.sentence.formatted(counter.get())
                                + (example.isEmpty() ? "." : "; the first: " + example + "."));
            }
        });
        return sentences;
    }

    /** The metrics of the hub; of drops only those that are not zero. */
    Map<String, Object> metrics(final long mostQueuedBytes) {
        final Map<String, Object> dropped = new LinkedHashMap<>();
        drops.forEach((what, counter) -> {
            if (counter.get() > 0 || what == Drop.SLOW_CONSUMERS) {
                dropped.put(what.counterName, counter.get());
            }
        });
        return Traffic.COLUMNS.metrics(
                traffic,
                traffic,
                0,
                Set.of(),
                Map.of("items", dropped, "noBuffer", Map.of("mostQueuedBytes", mostQueuedBytes)));
    }

    /** Images and updates that consumers got; a placeholder is neither. */
    long served() {
        return traffic.imagesOut().get() + traffic.updatesOut().get();
    }
}
