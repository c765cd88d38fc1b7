package io.tickmark.lab.protocol;

import java.io.IOException;

/** A line that is no message of this protocol. */
public final class ProtocolException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * What is wrong.
     *
     * @param message part of a sentence
     */
    public ProtocolException(final String message) {
        super(message);
    }
}
