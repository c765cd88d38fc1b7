package io.tickmark.transport;

import org.agrona.DirectBuffer;

/** Handles one message. */
@FunctionalInterface
public interface MessageHandler {
    /**
     * Called on the polling thread.
     *
     * @param buffer that holds the message, valid only during the call
     * @param offset of the message
     * @param length of the message
     */
    void onMessage(DirectBuffer buffer, int offset, int length);
}
