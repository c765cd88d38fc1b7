package io.tickmark.transport.broker;

/**
 * How far a stored topic is written: the ordinal of the next message, up to which one all are
 * stable, and why that no longer holds. One thread sends, one thread at a time (the client's)
 * reports what is stored; any thread reports a failure and reads.
 */
public final class StoredPositions {
    private long next;
    private volatile long stable;
    private volatile Failure failure = Failure.NONE;

    /**
     * Nothing was sent yet.
     *
     * @param stored messages that the topic has already had
     */
    public StoredPositions(final long stored) {
        next = stored;
        stable = stored - 1;
    }

    /**
     * Why positions no longer say what is stored.
     *
     * @param text a sentence without its end
     * @param isFinal whether a new publication would fail as well
     */
    private record Failure(String text, boolean isFinal) {
        private static final Failure NONE = new Failure("", false);
    }

    /** {@return ordinal of the next message; the sending thread} */
    public long next() {
        return next;
    }

    /** A message was sent; the sending thread. */
    public void advance() {
        next++;
    }

    /** {@return ordinal of the last message up to which all are stable; -1 for none} */
    public long stable() {
        return stable;
    }

    /**
     * All messages up to one are stable; ignored after a failure, as positions may have moved up.
     * The client's thread.
     *
     * @param ordinal of the last one
     * @return whether the stable position moved
     */
    public boolean stableUpTo(final long ordinal) {
        final boolean moves = ordinal > stable && !hasFailed();
        if (moves) {
            stable = ordinal;
        }
        return moves;
    }

    /**
     * Whether a message was stored under its ordinal; if it was not, positions have failed for
     * good.
     *
     * @param ordinal of it
     * @param number under which the server stored it, from 0
     * @return true where both are the same
     */
    public boolean isInPlace(final long ordinal, final long number) {
        if (number != ordinal) {
            fail(
                    "message %d was stored as number %d: another program writes to this topic"
                            .formatted(ordinal, number),
                    true);
        }
        return number == ordinal;
    }

    /**
     * From now on positions no longer say what is stored; the first reason is kept.
     *
     * @param text a sentence without its end
     * @param isFinal whether a new publication would fail as well, so that none is tried
     */
    public synchronized void fail(final String text, final boolean isFinal) {
        if (failure == Failure.NONE) {
            failure = new Failure(text, isFinal);
        }
    }

    /** {@return whether positions no longer say what is stored} */
    public boolean hasFailed() {
        return failure != Failure.NONE;
    }

    /** {@return whether they have failed, and those of a new publication would as well} */
    public boolean hasEnded() {
        return failure.isFinal();
    }

    /** {@return why they have failed, a sentence without its end; empty while they have not} */
    public String failure() {
        return failure.text();
    }
}
