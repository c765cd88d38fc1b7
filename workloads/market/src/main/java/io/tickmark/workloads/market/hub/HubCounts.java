package io.tickmark.workloads.market.hub;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.Recording;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The counts of the hub; one writer. */
final class HubCounts {
    final Counter updatesIn;
    final Counter updatesOut;
    final Counter imagesIn;
    final Counter imagesOut;
    final Counter posts;
    final Counter acknowledgements;
    final Counter genericMessages;
    final Counter items;
    final Counter consumers;
    final Counter noBuffer;
    private final Map<Drop, Counter> drops = new EnumMap<>(Drop.class);
    private final Map<Drop, String> examples = new EnumMap<>(Drop.class);

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
                "%d images were dropped from the cache, as what came for them could not be merged"),
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
                "%d connections were ended, as what came over them could not be read"),
        PEERS_UNDELIVERABLE(
                "peersUndeliverable",
                false,
                "%d connections were ended, as a message could not be sent over them"),
        CONNECTIONS_REFUSED("connectionsRefused", false, "%d connections could not be accepted"),
        SLOW_CONSUMERS(
                "slowConsumers",
                false,
                "%d consumers were disconnected, as too much waited for them (--max-queued-bytes)"),
        JSON_FIELDS_SKIPPED(
                "jsonFieldsSkipped",
                false,
                "%d fields were left out of what consumers got as JSON, for they cannot be converted to it"),
        VIEWS_NOT_KEPT(
                "viewsNotKept",
                false,
                "%d messages went out whole to consumers with a view, as their fields cannot be told apart"),
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
        updatesIn = recording.counter("updatesIn");
        updatesOut = recording.counter("updatesOut");
        imagesIn = recording.counter("imagesIn");
        imagesOut = recording.counter("imagesOut");
        posts = recording.counter("posts");
        acknowledgements = recording.counter("acknowledgements");
        genericMessages = recording.counter("genericMessages");
        items = recording.counter("items");
        consumers = recording.counter("consumers");
        noBuffer = recording.counter("noBuffer");
        for (final Drop each : Drop.values()) {
            drops.put(each, recording.counter(each.counterName));
        }
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

    /** Adds those that are not zero. */
    void putDrops(final Map<String, Object> metrics) {
        drops.forEach((what, counter) -> {
            if (counter.get() > 0 || what == Drop.SLOW_CONSUMERS) {
                metrics.put(what.counterName, counter.get());
            }
        });
    }

    /** Images and updates that consumers got. */
    long served() {
        return imagesOut.get() + updatesOut.get();
    }
}
