package io.tickmark.transport.store;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Topic;
import java.util.List;

/**
 * A store that keeps messages: started, verified, read back, killed. Control thread only, never
 * while hot.
 */
public interface StoreServer extends AutoCloseable {
    /** Starts it and waits until it can take messages; after a kill it recovers first. */
    void start();

    /**
     * Channels by which publications and subscriptions reach it; valid once started.
     *
     * @return one for each member
     */
    List<ChannelUri> endpoints();

    /**
     * Checks what is on its disk.
     *
     * @param topic to check
     * @return what it found
     */
    Verification verify(Topic topic);

    /**
     * Reads stored messages back.
     *
     * @param topic to read
     * @param fromOrdinal first message wanted
     * @param handler called for each message in order, on the caller's thread
     * @return messages handed over
     */
    long readBack(Topic topic, long fromOrdinal, MessageHandler handler);

    /** Ends it at once, as a crash would: nothing is flushed. {@link #start()} brings it back. */
    void kill();

    /** Ends it in good order and releases all but its data. */
    @Override
    void close();

    /**
     * What a verification found.
     *
     * @param messages whole messages on disk
     * @param tornBytes bytes of an incomplete message at the end, left by a crash
     * @param corrupted messages whose checksum is wrong
     */
    record Verification(long messages, long tornBytes, long corrupted) {}
}
