package io.tickmark.transport;

import java.nio.channels.ClosedChannelException;
import java.util.Optional;
import java.util.StringJoiner;

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
    private Break unmended = Break.NONE;

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
     * Counts messages that an engine's client took and did not publish.
     *
     * @return none yet
     */
    public static EngineErrors ofMessages() {
        return new EngineErrors(
                "A message that the client had accepted was not published: %s.",
                "%d messages that the client had accepted were not published, the first: %s.");
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
     * Counts how often the connection to a server broke, with {@link #broke} and {@link #mended}.
     *
     * @return none yet
     */
    public static EngineErrors ofBreaks() {
        return new EngineErrors(
                "The connection to the server broke (%s): messages sent meanwhile may be missing; see whether it runs, and"
                        + " what its log says.",
                "The connection to the server broke %d times, first: %s; messages sent meanwhile may be missing: see whether"
                        + " it runs, and what its log says.");
    }

    /**
     * Counts an error.
     *
     * @param error whose message is kept; its class where it has none
     */
    public void add(final Throwable error) {
        add(message(error));
    }

    /**
     * The reason in an exception of an engine's client.
     *
     * @param error whose root cause is looked at
     * @return its message on one line without its full stop; its class where it has none
     */
    public static String said(final Throwable error) {
        Throwable cause = error;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return partOfSentence(message(cause));
    }

    private static String message(final Throwable error) {
        if (error instanceof ClosedChannelException) { // has no message
            return "the connection to the server broke";
        }
        return error.getMessage() == null ? error.getClass().getSimpleName() : error.getMessage();
    }

    private static String partOfSentence(final String words) {
        return words.strip().replaceAll("\\s+", " ").replaceFirst("\\.$", "");
    }

    /**
     * Counts an error.
     *
     * @param words that describe the error
     */
    public synchronized void add(final String words) {
        if (count++ == 0) {
            final String line = partOfSentence(words);
            first =
                    line.length() <= MOST_CHARACTERS
                            ? line
                            : line.substring(0, MOST_CHARACTERS) + "...";
        }
    }

    /**
     * A connection broke, which counts once it is restored, and is reported once it has lasted.
     *
     * @param words that describe the first of several breaks
     */
    public void broke(final String words) {
        broke(Break.now(partOfSentence(words)));
    }

    synchronized void broke(final Break since) {
        if (unmended.isNone()) {
            unmended = since;
        }
    }

    /** The connection is there; where it broke before, it is restored. */
    public synchronized void mended() {
        if (!unmended.isNone()) {
            add(unmended.reason());
            unmended = Break.NONE;
        }
    }

    /** What was taken for a break came before the connection was first made, and does not count. */
    public synchronized void forgetBreak() {
        unmended = Break.NONE;
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
     * What several parts of an engine report, one after the other.
     *
     * @param sentences of each, where it has any
     * @return all of them; empty where there are none
     */
    @SafeVarargs
    public static Optional<String> together(final Optional<String>... sentences) {
        final StringJoiner all = new StringJoiner(" ");
        for (final Optional<String> each : sentences) {
            each.ifPresent(all::add);
        }
        return Optional.of(all.toString()).filter(text -> !text.isEmpty());
    }

    /**
     * Describes the errors, a break that lasts included.
     *
     * @return a sentence; empty where there were none
     */
    public synchronized Optional<String> sentence() {
        final Optional<String> lasting = unmended.lasting();
        if (count == 0) {
            return lasting.map(one::formatted);
        }
        final long all = count + (lasting.isPresent() ? 1 : 0);
        return Optional.of(all == 1 ? one.formatted(first) : several.formatted(all, first));
    }
}
