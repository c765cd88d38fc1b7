package io.tickmark.transport.broker;

import io.tickmark.transport.store.DurablePublication;
import java.util.Map;
import org.agrona.DirectBuffer;

/**
 * The writing end of a stored topic at one broker, which acknowledges each message once it has it.
 * A broken connection is not reopened: messages in flight would be sent twice. An engine implements
 * the sending, and reports which message was stored and what went wrong, on the client's thread.
 */
public abstract class BrokerDurablePublication extends BrokerPublication
        implements DurablePublication {
    private final Flight flight;
    private final long first;
    private final StoredPositions positions;
    private boolean isLost;

    /** A message in flight will never be answered: what is stored behind it has another place. */
    private volatile boolean hasHole;

    /**
     * Opens it.
     *
     * @param channel with the server's address
     * @param maxPayloadBytes largest message
     * @param flight limit of messages in flight
     * @param stored messages that the topic has already had
     */
    protected BrokerDurablePublication(
            final BrokerChannel<?> channel,
            final int maxPayloadBytes,
            final Flight flight,
            final long stored) {
        super(channel, maxPayloadBytes);
        this.flight = flight;
        first = stored;
        positions = new StoredPositions(stored);
    }

    /**
     * Whether the client takes a message at the moment, the limit of messages in flight apart.
     *
     * @param length of the message
     * @return 0 by default; or a negative code of {@link io.tickmark.transport.Publication}, with
     *     which the message is refused
     */
    protected long mayStore(final int length) {
        return 0;
    }

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

    /** Flushes what waits to the client, before it waits for the last acknowledgements. */
    protected void finish() {
        flush();
    }

    /**
     * Whether messages in flight may still be answered, so that closing waits for them: a
     * publication that is opened after this one asks the server where the topic ends.
     *
     * @return by default whether the connection stands
     */
    protected boolean mayBeAnswered() {
        return isServed();
    }

    /** Closes the connection. */
    protected abstract void end();

    /**
     * What the engine reports about this end, besides its connection.
     *
     * @return facts by name; none by default
     */
    protected Map<String, Object> engineFacts() {
        return Map.of();
    }

    /**
     * The message that is answered next where answers come in the order of sending. The client's
     * thread.
     *
     * @return its ordinal
     */
    protected final long oldest() {
        return first + flight.answered();
    }

    /**
     * The oldest message in flight was answered, or never will be; then the publication is lost.
     * The client's thread.
     *
     * @param isStored whether it is stored, which no longer counts after a failure, or behind a
     *     message without an answer: positions may have moved up
     */
    protected final void answered(final boolean isStored) {
        if (isStored && !hasHole) {
            positions.stableUpTo(oldest());
        }
        hasHole |= !isStored;
        flight.answer();
    }

    /**
     * A message is stored, perhaps before older ones; it is taken off those in flight with them.
     * The client's thread.
     *
     * @param ordinal of it; ignored up to the stable position
     * @return whether the stable position moved
     */
    protected final boolean storedByItself(final long ordinal) {
        return ordinal > positions.stable()
                && positions.stableUpTo(first + flight.answer(ordinal - first) - 1);
    }

    /**
     * Whether a message was stored under its ordinal; if it was not, another program writes to the
     * topic, and this publication {@link #fail fails} for good. Any thread.
     *
     * @param ordinal of it
     * @param number under which the server stored it, from 0
     * @return true where both are the same
     */
    protected final boolean isInPlace(final long ordinal, final long number) {
        return positions.isInPlace(ordinal, number);
    }

    /**
     * From now on positions no longer say what is stored; the first reason is kept. Any thread.
     *
     * @param text a sentence without its end
     * @param isFinal whether a new publication would fail as well, so that none is tried
     */
    protected final void fail(final String text, final boolean isFinal) {
        positions.fail(text, isFinal);
    }

    /**
     * Whether {@link #fail} was called.
     *
     * @return true once it was called
     */
    protected final boolean hasFailed() {
        return positions.hasFailed();
    }

    @Override
    protected final long send(final DirectBuffer buffer, final int offset, final int length) {
        if (positions.hasEnded()) {
            return CLOSED;
        }
        if (isLost()) {
            return NOT_CONNECTED;
        }
        final long code = mayStore(length);
        if (code < 0) {
            return code;
        }
        if (!flight.hasRoom(length)) {
            flush();
            return BACK_PRESSURED;
        }
        flight.add(length);
        if (!store(buffer, offset, length, positions.next())) {
            flight.takeBack();
            isLost = true;
            return NOT_CONNECTED;
        }
        positions.advance();
        return 0;
    }

    @Override
    protected final long taken() {
        return positions.next() - 1;
    }

    @Override
    public final long nextOrdinal() {
        return positions.next();
    }

    @Override
    public final long stablePosition() {
        return positions.stable();
    }

    /** A new publication sends a message again that was not stored, with all messages after it. */
    @Override
    public final boolean isLost() {
        isLost |= positions.hasFailed() ? !positions.hasEnded() : hasHole || !isServed();
        return isLost;
    }

    @Override
    public final String failure() {
        return positions.failure();
    }

    @Override
    public String trouble() {
        return isLost && !positions.hasFailed() ? "the server has ended" : positions.failure();
    }

    @Override
    public final Map<String, Object> facts() {
        final Map<String, Object> facts = super.facts();
        facts.putAll(engineFacts());
        if (!trouble().isEmpty()) {
            facts.put("failure", trouble());
        }
        return facts;
    }

    @Override
    protected final void release() {
        finish();
        flight.await(this::mayBeAnswered);
        end();
    }
}
