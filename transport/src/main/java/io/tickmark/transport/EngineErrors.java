package io.tickmark.transport;

import java.util.Optional;

/**
 * Counts what an engine reports on threads of its own, where no caller is there to be told, and
 * keeps the first words. Any thread; for errors, not for a hot path.
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
     * @param one sentence for a single error, with {@code %s} for its words
     * @param several sentence for more, with {@code %d} for their number and {@code %s} for the
     *     words of the first
     */
    public EngineErrors(final String one, final String several) {
        this.one = one;
        this.several = several;
    }

    /**
     * Counts an error.
     *
     * @param error whose message counts, else its class
     */
    public void add(final Throwable error) {
        add(error.getMessage() == null ? error.getClass().getSimpleName() : error.getMessage());
    }

    /**
     * Counts an error.
     *
     * @param words about it
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

    /** One of them was told to the caller after all. */
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
     * Says it.
     *
     * @return a sentence; empty where there was none
     */
    public synchronized Optional<String> sentence() {
        return count == 0
                ? Optional.empty()
                : Optional.of(count == 1 ? one.formatted(first) : several.formatted(count, first));
    }
}
