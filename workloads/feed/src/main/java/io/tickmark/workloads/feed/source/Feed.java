package io.tickmark.workloads.feed.source;

import java.util.List;

/** Generates messages until it is closed. */
public interface Feed extends AutoCloseable {
    /**
     * Starts.
     *
     * @param startNs when the first message is wanted, on the feed's clock
     */
    void start(long startNs);

    /**
     * Its figures so far; any thread.
     *
     * @return figures
     */
    FeedFigures figures();

    /**
     * What is known of the publisher of its messages; any thread. Once the feed is closed, what was
     * known then.
     *
     * @return its state
     */
    default SourceState source() {
        return SourceState.NONE;
    }

    /** Resets the longest lag and the longest run of sends, soon; any thread. */
    void forgetMaxima();

    /**
     * Why one of its threads ended unexpectedly; any thread.
     *
     * @return words without a full stop, empty while all are running
     */
    String failure();

    /**
     * Names of its symbols.
     *
     * @return by number
     */
    List<String> symbolNames();

    /** Ends its threads, and waits for them. */
    @Override
    void close();
}
