package io.tickmark.lab.protocol;

import java.io.IOException;

/** A line that is not a message of this protocol. */
public final class ProtocolException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * What is wrong.
     *
     * @param message clause
     */
    public ProtocolException(final String message) {
        super(message);
    }
}
