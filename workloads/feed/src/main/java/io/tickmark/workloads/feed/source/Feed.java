package io.tickmark.workloads.feed.source;

import java.util.List;

/** Makes messages until it is closed. */
public interface Feed extends AutoCloseable {
    /**
     * Begins.
     *
     * @param startNs when the first message is wanted, on the feed's clock
     */
    void start(long startNs);

    /**
     * What it has done so far; any thread.
     *
     * @return figures
     */
    FeedFigures figures();

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
