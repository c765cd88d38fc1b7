package io.tickmark.workloads.messaging.session;

import io.tickmark.kernel.settings.NameList;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Matches the topics of a subscriber with those of its publisher, which may be more, fewer, or in
 * another order: stamps carry the position in the publisher's list. Single-threaded.
 */
public final class TopicMatch {
    private static final int MOST_NAMES = 5;

    private final List<Topic> asked;
    private List<Topic> shared;
    private boolean[] wanted;
    private final List<String> notes = new ArrayList<>();
    private boolean isKnown;

    /**
     * Assumes that the publisher's topics are the requested ones, until they are known.
     *
     * @param asked topics of the subscriber
     */
    public TopicMatch(final List<Topic> asked) {
        this.asked = List.copyOf(asked);
        shared = this.asked;
        wanted = new boolean[asked.size() + 1];
        Arrays.fill(wanted, 1, wanted.length, true);
    }

    /**
     * Sets the publisher's topics.
     *
     * @param published names in the order of their numbers
     * @param channel shown in errors
     * @throws UserError if none of them was requested
     */
    public void with(final List<String> published, final ChannelUri channel) {
        final List<Topic> both = new ArrayList<>();
        final List<String> absent = new ArrayList<>();
        wanted = new boolean[published.size() + 1];
        for (final Topic topic : asked) {
            final int number = published.indexOf(topic.name()) + 1;
            if (number > 0) {
                both.add(new Topic(topic.name(), number));
                wanted[number] = true;
            } else {
                absent.add(topic.name());
            }
        }
        if (both.isEmpty()) {
            throw UserError.usage(
                    "--topics %s: the publisher at %s has %s; name one of its topics."
                            .formatted(listed(absent), channel, listed(published)));
        }
        if (!absent.isEmpty()) {
            notes.add(
                    "--topics: no publisher for %s at %s; nothing was expected there."
                            .formatted(listed(absent), channel));
        }
        if (both.size() < published.size()) {
            notes.add(
                    "--topics: %d of the %d topics published at %s were asked for; the others are not counted."
                            .formatted(both.size(), published.size(), channel));
        }
        shared = List.copyOf(both);
        isKnown = true;
    }

    private static String listed(final List<String> names) {
        return NameList.of(names, MOST_NAMES);
    }

    /**
     * Whether the publisher's topics are known.
     *
     * @return true after {@link #with}
     */
    public boolean isKnown() {
        return isKnown;
    }

    /**
     * The requested topics.
     *
     * @return topics with their positions in the subscriber's list
     */
    public List<Topic> asked() {
        return asked;
    }

    /**
     * The topics that are both requested and published.
     *
     * @return topics with their positions in the publisher's list
     */
    public List<Topic> shared() {
        return shared;
    }

    /**
     * Position of a topic among those of both sides.
     *
     * @param name of the topic
     * @return index in {@link #shared()}; -1 for one that is not published
     */
    public int indexOf(final String name) {
        return shared.stream().map(Topic::name).toList().indexOf(name);
    }

    /**
     * Whether any topic has another number at the publisher, or is not published.
     *
     * @return false where the opened topics are the published ones
     */
    public boolean differs() {
        return !shared.equals(asked);
    }

    /**
     * How many topics the publisher has.
     *
     * @return the highest number in a stamp
     */
    public int topics() {
        return wanted.length - 1;
    }

    /**
     * Whether a topic of the publisher was requested.
     *
     * @param source its number, 1 to {@link #topics()}
     * @return false for one to be ignored
     */
    public boolean isWanted(final int source) {
        return wanted[source];
    }

    /**
     * The exchange of a topic.
     *
     * @param source number of the topic
     * @param ways number of exchanges: one for all, or one for each of {@link #shared()}
     * @return index of the exchange
     */
    public int way(final int source, final int ways) {
        int index = 0;
        while (ways > 1 && index < shared.size() && shared.get(index).id() != source) {
            index++;
        }
        return Math.min(index, ways - 1);
    }

    /**
     * Messages for the user.
     *
     * @return sentences, none where both sides name the same topics
     */
    public List<String> notes() {
        return List.copyOf(notes);
    }
}
