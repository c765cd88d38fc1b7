package io.tickmark.workloads.messaging.stream;

import io.tickmark.transport.Publication;
import java.util.List;

/**
 * What the topics of a stream are published through: a publication each, or one for all. One
 * thread, allocates nothing after construction.
 */
final class TopicPublications {
    private final Publication[] all;
    private final Publication[] byTopic;
    private int working;

    TopicPublications(final List<Publication> all, final int topics) {
        this.all = all.toArray(Publication[]::new);
        byTopic = new Publication[topics + 1];
        for (int id = 1; id <= topics; id++) {
            byTopic[id] = all.get(Math.min(id, all.size()) - 1);
        }
    }

    Publication of(final int topic) {
        return byTopic[topic];
    }

    int topics() {
        return byTopic.length - 1;
    }

    /** The topic whose turn follows. */
    int after(final int topic) {
        return topic == topics() ? 1 : topic + 1;
    }

    /**
     * Lets one of them do its work, each in turn: what happens to a message is noticed whoever
     * sends meanwhile.
     */
    int doWork() {
        working = working == all.length - 1 ? 0 : working + 1;
        return all[working].doWork();
    }

    /** Lets the one that refused a message get rid of what it has, and the others work, too. */
    void relieve(final int topic) {
        byTopic[topic].flush();
        byTopic[topic].doWork();
        if (all.length > 1) {
            doWork();
        }
    }

    /** Flushes all; negative where one could not. */
    long flush() {
        long worst = 0;
        for (final Publication publication : all) {
            worst = Math.min(worst, publication.flush());
        }
        return worst;
    }

    void doWorkOfAll() {
        for (final Publication publication : all) {
            publication.doWork();
        }
    }
}
