package io.tickmark.transport.broker;

import io.tickmark.transport.store.DurablePublication;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.DirectBuffer;

/**
 * The writing end of a stored topic at one broker, which answers each message when it has it. A
 * connection that breaks is not opened again: what was under way would be sent twice. An engine
 * says how to send, and tells which message was stored and what went wrong, on the client's thread.
 */
public abstract class BrokerDurablePublication extends BrokerPublication
        implements DurablePublication {
    private final Flight flight;
    private long next;
    private boolean isLost;
    private volatile long stable;
    private volatile Failure failure = Failure.NONE;

    /**
     * Opens it.
     *
     * @param channel with the server's address
     * @param maxPayloadBytes largest message
     * @param flight what may be under way; the engine takes each message out when it was answered
     * @param stored messages that the topic has had already
     */
    protected BrokerDurablePublication(
            final BrokerChannel<?> channel,
            final int maxPayloadBytes,
            final Flight flight,
            final long stored) {
        super(channel, maxPayloadBytes);
        this.flight = flight;
        next = stored;
        stable = stored - 1;
    }

    /**
     * Why places no longer tell what is stored.
     *
     * @param text a sentence without its end
     * @param isFinal whether a new publication would fare no better
     */
    private record Failure(String text, boolean isFinal) {
        private static final Failure NONE = new Failure("", false);
    }

    /**
     * Whether the connection stands.
     *
     * @return false once it has broken
     */
    protected abstract boolean isServed();

    /**
     * Sends a message that is in flight already, copying it.
     *
     * @param buffer that holds it
     * @param offset of it
     * @param length of it
     * @param ordinal of it
     * @return false where the connection broke since {@link #isServed} was asked
     */
    protected abstract boolean store(DirectBuffer buffer, int offset, int length, long ordinal);

    /** Hands to the client what waits, before the last answers are waited for. */
    protected void finish() {
        flush();
    }

    /** Ends the connection. */
    protected abstract void end();

    /**
     * What the engine says about itself.
     *
     * @return facts by name
     */
    protected abstract Map<String, Object> engineFacts();

    /**
     * All messages up to this one are stored. The client's thread.
     *
     * @param ordinal of it
     */
    protected final void stored(final long ordinal) {
        stable = ordinal;
    }

    /**
     * From now on places no longer tell what is stored; the first reason stands. Any thread.
     *
     * @param text a sentence without its end
     * @param isFinal whether a new publication would fare no better, so that none is tried
     */
    protected final synchronized void fail(final String text, final boolean isFinal) {
        if (failure == Failure.NONE) {
            failure = new Failure(text, isFinal);
        }
    }

    /**
     * Whether {@link #fail} was called.
     *
     * @return true once it was
     */
    protected final boolean hasFailed() {
        return failure != Failure.NONE;
    }

    @Override
    protected final long send(final DirectBuffer buffer, final int offset, final int length) {
        if (failure.isFinal()) {
            return CLOSED;
        }
        if (isLost()) {
            return NOT_CONNECTED;
        }
        if (!flight.hasRoom(length)) {
            flush();
            return BACK_PRESSURED;
        }
        flight.add(length);
        if (!store(buffer, offset, length, next)) {
            flight.takeBack();
            isLost = true;
            return NOT_CONNECTED;
        }
        next++;
        return 0;
    }

    @Override
    protected final long taken() {
        return next - 1;
    }

    @Override
    public final long nextOrdinal() {
        return next;
    }

    @Override
    public final long stablePosition() {
        return stable;
    }

    /** A message that was not stored is sent again by a new publication, with all behind it. */
    @Override
    public final boolean isLost() {
        final Failure now = failure;
        isLost |= now == Failure.NONE ? !isServed() : !now.isFinal();
        return isLost;
    }

    @Override
    public final String failure() {
        return failure.text();
    }

    @Override
    public String trouble() {
        return failure == Failure.NONE && isLost ? "the server has ended" : failure.text();
    }

    @Override
    public final Map<String, Object> facts() {
        final Map<String, Object> facts = new TreeMap<>(engineFacts());
        if (!trouble().isEmpty()) {
            facts.put("failure", trouble());
        }
        return facts;
    }

    @Override
    protected final void release() {
        finish();
        flight.await(() -> failure == Failure.NONE && isServed());
        end();
    }
}
