package io.tickmark.transport;

import io.tickmark.kernel.settings.UserError;
import java.util.ArrayList;
import java.util.List;

/**
 * A topic within a channel: Aeron stream id, DDS topic, Kafka topic, NATS subject, shm file; raw
 * sockets multiplex by the stamp's source, which is {@code id}.
 *
 * @param name as the user wrote it
 * @param id from 1, its place in the list of topics
 */
public record Topic(String name, int id) {
    /** Most topics of one test: sources are 16 bits and some are kept. */
    public static final int MAX_TOPICS = 10_000;

    /** The topic of a test that names none. */
    public static final Topic DEFAULT = new Topic("tickmark", 1);

    /** Checks name and id. */
    public Topic {
        if (name.isBlank()
                || !name.chars()
                        .allMatch(c -> Character.isLetterOrDigit(c) || "._-".indexOf(c) >= 0)) {
            throw UserError.usage(
                    "--topics: '"
                            + name
                            + "' is not a topic's name; use letters, digits, dots, dashes and underscores.");
        }
        if (id < 1 || id > MAX_TOPICS) {
            throw UserError.usage(
                    "--topics: at most " + MAX_TOPICS + " topics can be used in one test.");
        }
    }

    /**
     * Numbers topics in the order given.
     *
     * @param names of the topics
     * @return topics with ids from 1
     */
    public static List<Topic> of(final List<String> names) {
        final List<Topic> topics = new ArrayList<>();
        for (final String name : names) {
            topics.add(new Topic(name, topics.size() + 1));
        }
        return List.copyOf(topics);
    }
}
