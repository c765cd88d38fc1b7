package io.tickmark.transport.broker;

import io.tickmark.transport.EngineErrors;
import java.util.Map;
import java.util.Optional;
import org.agrona.DirectBuffer;

/**
 * The sending end of a topic that is not stored, of an engine whose client answers each message, on
 * its own thread or on ours. Messages without an answer are limited; what the client could not
 * publish is counted. An engine implements the sending, and reports the answers.
 */
public abstract class BrokerPlainPublication extends BrokerPublication {
    private final Flight flight;
    private final EngineErrors failures;

    /** About a message that was not taken; empty once one was. */
    private String refusal = "";

    /**
     * Opens it.
     *
     * @param channel with the servers' addresses
     * @param maxPayloadBytes largest message
     * @param flight limit of messages in flight
     */
    protected BrokerPlainPublication(
            final BrokerChannel<?> channel, final int maxPayloadBytes, final Flight flight) {
        this(channel, maxPayloadBytes, flight, EngineErrors.ofMessages());
    }

    /**
     * Opens it.
     *
     * @param channel with the servers' addresses
     * @param maxPayloadBytes largest message
     * @param flight limit of messages in flight
     * @param failures sentences about messages that were not published
     */
    protected BrokerPlainPublication(
            final BrokerChannel<?> channel,
            final int maxPayloadBytes,
            final Flight flight,
            final EngineErrors failures) {
        super(channel, maxPayloadBytes);
        this.flight = flight;
        this.failures = failures;
    }

    /**
     * Sends a message that is in flight already.
     *
     * @param message a copy
     * @return 0, after which {@link #answered} is called once; or a negative code of {@link
     *     io.tickmark.transport.Publication} where it was not sent
     */
    protected abstract long send(byte[] message);

    /**
     * Keeps why a message is refused, to be called by {@link #send} before it returns a negative
     * code. It does not count as not published: the sender knows that it was not taken.
     *
     * @param sentence that says why, and what to do
     */
    protected final void notTaken(final String sentence) {
        refusal = sentence;
    }

    /** Closes what this end opened itself, after the last answers. Nothing by default. */
    protected void end() {}

    /**
     * What the engine reports about this end, besides its connection.
     *
     * @return facts by name; none by default
     */
    protected Map<String, Object> engineFacts() {
        return Map.of();
    }

    /**
     * What went wrong besides messages that were not published.
     *
     * @return sentences; by default those of the connection
     */
    protected Optional<String> otherErrors() {
        return super.errors();
    }

    /** The oldest message was answered, or never will be. One thread at a time. */
    protected final void answered() {
        flight.answer();
    }

    /**
     * A message was not published. Any thread.
     *
     * @param reason a part of a sentence
     */
    protected final void failed(final String reason) {
        failures.add(reason);
    }

    /**
     * A message was not published. Any thread.
     *
     * @param error whose message is kept
     */
    protected final void failed(final Throwable error) {
        failures.add(error);
    }

    @Override
    protected final long send(final DirectBuffer buffer, final int offset, final int length) {
        if (!isServed()) {
            return NOT_CONNECTED;
        }
        if (!flight.hasRoom(length)) {
            flush();
            return BACK_PRESSURED;
        }
        final byte[] copy = copy(buffer, offset, length);
        flight.add(length);
        final long code = send(copy);
        if (code < 0) {
            flight.takeBack();
        } else {
            refusal = "";
        }
        return code;
    }

    @Override
    protected final Optional<String> errors() {
        return EngineErrors.together(
                failures.sentence(),
                Optional.of(refusal).filter(sentence -> !sentence.isEmpty()),
                otherErrors());
    }

    /**
     * With {@code unanswered}: messages that are in flight at the moment, nothing that went wrong.
     * Closing waits for their answers.
     */
    @Override
    public final Map<String, Object> facts() {
        final Map<String, Object> facts = super.facts();
        facts.putAll(engineFacts());
        facts.put("sendFailures", failures.count());
        facts.put("unanswered", flight.unanswered());
        return facts;
    }

    @Override
    public boolean isCount(final String fact) {
        return fact.equals("sendFailures") || fact.equals("unanswered") || super.isCount(fact);
    }

    @Override
    protected void release() {
        flush();
        flight.await(this::isServed);
        end();
    }
}
