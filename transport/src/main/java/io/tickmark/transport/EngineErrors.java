package io.tickmark.transport;

import java.util.Optional;

/**
 * Counts the errors that an engine reports on its own threads, where there is no caller to report
 * them to, and keeps the text of the first one. Any thread; meant for errors, not for a hot path.
 */
public final class EngineErrors {
    private static final int MOST_CHARACTERS = 300;

    private final String one;
    private final String several;
    private String first = "";
    private long count;

    /**
     * None yet.
     *
     * @param one sentence for a single error, with {@code %s} for its text
     * @param several sentence for several errors, with {@code %d} for their number and {@code %s}
     *     for the text of the first
     */
    public EngineErrors(final String one, final String several) {
        this.one = one;
        this.several = several;
    }

    /**
     * Counts acknowledgements of stored messages that did not reach their server, or that it
     * refused.
     *
     * @return none yet
     */
    public static EngineErrors ofAcknowledgements() {
        return new EngineErrors(
                "The server did not accept an acknowledgement (%s): the messages concerned may be delivered again.",
                "The server did not accept %d acknowledgements, the first: %s; the messages concerned may be"
                        + " delivered again.");
    }

    /**
     * Counts an error.
     *
     * @param error whose message is kept; its class where it has none
     */
    public void add(final Throwable error) {
        add(error.getMessage() == null ? error.getClass().getSimpleName() : error.getMessage());
    }

    /**
     * Counts an error.
     *
     * @param words that describe the error
     */
    public synchronized void add(final String words) {
        if (count++ == 0) {
            final String line = words.strip().replaceAll("\\s+", " ").replaceFirst("\\.$", "");
            first =
                    line.length() <= MOST_CHARACTERS
                            ? line
                            : line.substring(0, MOST_CHARACTERS) + "...";
        }
    }

    /** One of the errors was reported to the caller after all. */
    public synchronized void takeBack() {
        count--;
    }

    /**
     * How many there were.
     *
     * @return the count
     */
    public synchronized long count() {
        return count;
    }

    /**
     * Describes the errors.
     *
     * @return a sentence; empty where there were none
     */
    public synchronized Optional<String> sentence() {
        return count == 0
                ? Optional.empty()
                : Optional.of(count == 1 ? one.formatted(first) : several.formatted(count, first));
    }
}
