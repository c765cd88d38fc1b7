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

    /** The longest lag and the longest run of sends so far are forgotten soon; any thread. */
    void forgetMaxima();

    /**
     * Why a thread of it ended that should have gone on; any thread.
     *
     * @return words without a full stop, empty where all go on
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
