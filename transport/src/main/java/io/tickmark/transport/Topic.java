package io.tickmark.transport;

import io.tickmark.kernel.settings.UserError;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A topic within a channel: Aeron stream id, DDS topic, Kafka topic, NATS subject, shm file; raw
 * sockets multiplex by the stamp's source, which is {@code id}.
 *
 * @param name as the user wrote it
 * @param id from 1, its place in the list of topics
 */
public record Topic(String name, int id) {
    /** Most topics of one test: sources are 16 bits and some are reserved. */
    public static final int MAX_TOPICS = 10_000;

    /** Length of the longest name, in bytes of UTF-8. */
    public static final int MAX_NAME_BYTES = 200;

    /** The topic of a test that names none. */
    public static final Topic DEFAULT = new Topic("tickmark", 1);

    /** Checks name and id. */
    public Topic {
        if (name.isBlank()
                || !name.chars()
                        .allMatch(c -> Character.isLetterOrDigit(c) || "._-".indexOf(c) >= 0)) {
            throw UserError.usage(
                    "'"
                            + name
                            + "' is not a topic's name (--topic, --topics); use letters, digits, dots, dashes and underscores.");
        }
        if (name.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES) {
            throw UserError.usage(
                    "'%s...' is too long for a topic's name (--topic, --topics): at most %d bytes."
                            .formatted(name.substring(0, 20), MAX_NAME_BYTES));
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
     * @throws UserError if there is no name, or if one occurs twice
     */
    public static List<Topic> of(final List<String> names) {
        if (names.isEmpty()) {
            throw UserError.usage("--topics: names no topic; give at least one.");
        }
        final List<Topic> topics = new ArrayList<>();
        final Set<String> taken = new HashSet<>();
        for (final String name : names) {
            if (!taken.add(name)) {
                throw UserError.usage("--topics: names '" + name + "' twice; give it once.");
            }
            topics.add(new Topic(name, topics.size() + 1));
        }
        return List.copyOf(topics);
    }
}
