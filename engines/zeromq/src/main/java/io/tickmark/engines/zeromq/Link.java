package io.tickmark.engines.zeromq;

import io.tickmark.transport.EngineErrors;
import java.util.Optional;
import org.agrona.concurrent.SystemNanoClock;
import org.zeromq.ZEvent;
import org.zeromq.ZMQ;

/**
 * The connection of a socket that connects. The library's threads tell of it and make it again. A
 * thread of ours does where they do not: they give a peer up that breaks the protocol, and JeroMQ
 * 0.6.0 deafens about one connection in ten as it comes about (its poller drops the handle of the
 * connecting channel after that of the connected one, in the order of a hash set, and with it the
 * key that both share).
 */
final class Link {
    private static final int EVENTS =
            ZMQ.EVENT_CONNECTED
                    | ZMQ.EVENT_HANDSHAKE_PROTOCOL
                    | ZMQ.EVENT_DISCONNECTED
                    | ZMQ.EVENT_CLOSED
                    | ZMQ.EVENT_CONNECT_RETRIED;

    /** The library would have tried a hundred times, and told of each. */
    private static final long GIVEN_UP_NS = 1_000_000_000;

    /** Many times what a greeting takes; doubled each time, as the machine may be busy. */
    private static final long FIRST_PATIENCE_NS = 50_000_000;

    /** A side that ends tells so as one that is killed; the other side of a test ends next. */
    private static final long ENDING_NS = 2_000_000_000;

    /** Who accepts connections and has not greeted for so long is told, however often we tried. */
    private static final long SILENCE_NS = 1_000_000_000;

    private static final String BROKE = "The connection broke: %s.";

    private final ZMQ.Socket socket;
    private final String endpoint;
    private final EngineErrors breaks =
            new EngineErrors(BROKE, "The connection broke %d times, first: %s.");
    private volatile State state = State.UNKNOWN;
    private volatile long toldNs = SystemNanoClock.INSTANCE.nanoTime();
    private volatile long lostNs;
    private volatile long silentSinceNs;
    private volatile boolean hasRunOutOfPatience;
    private volatile int greetings;
    private volatile int reconnects;

    /** A connection that was up broke, and none has been greeted since; the library's thread. */
    private boolean isBroken;

    /** We end a connection ourselves, which is no break. */
    private volatile boolean isAbandoned;

    private long greetingPatienceNs = FIRST_PATIENCE_NS;

    /** What is known of the other side. */
    private enum State {
        UNKNOWN,
        ABSENT,
        NOT_GREETED,
        UP,
        LOST
    }

    /** Connects, and waits for nothing. */
    Link(final ZMQ.Socket socket, final String endpoint) {
        this.socket = socket;
        this.endpoint = endpoint;
        final ZEvent.ZEventConsummer told = this::onEvent;
        socket.setEventHook(told, EVENTS);
        socket.connect(endpoint);
    }

    /** On a thread of the library, one at a time. */
    private void onEvent(final ZEvent event) {
        toldNs = SystemNanoClock.INSTANCE.nanoTime();
        switch (event.getEvent()) {
            case CONNECTED -> {
                isAbandoned = false;
                if (state == State.UNKNOWN || state == State.ABSENT) {
                    silentSinceNs = toldNs;
                    hasRunOutOfPatience = false;
                    state = State.NOT_GREETED;
                }
            }
            case HANDSHAKE_PROTOCOL -> {
                // Its version; whatever does not begin as ZMTP does is taken for 0 by the library.
                final Integer version = event.getValue();
                if (version > 0) {
                    onGreeting();
                }
            }
            case DISCONNECTED -> {
                if (state == State.UP) {
                    lostNs = toldNs;
                    state = State.LOST;
                    isBroken |= !isAbandoned;
                }
            }
            case CLOSED -> { // an attempt failed
                if (state != State.LOST) {
                    state = State.ABSENT;
                }
            }
            default -> {}
        }
    }

    private void onGreeting() {
        if (isBroken) {
            isBroken = false;
            reconnects++;
            breaks.add(lost());
        }
        greetings++;
        state = State.UP;
    }

    /** Whether a ZeroMQ socket is at the other end. Any thread. */
    boolean isUp() {
        return state == State.UP;
    }

    /** Connects again where the library no longer does. The thread of the socket. */
    void revive() {
        final State now = state;
        final long patienceNs = now == State.LOST ? GIVEN_UP_NS : greetingPatienceNs;
        if ((now == State.NOT_GREETED || now == State.LOST)
                && SystemNanoClock.INSTANCE.nanoTime() - toldNs > patienceNs) {
            greetingPatienceNs = Math.min(2 * greetingPatienceNs, GIVEN_UP_NS);
            toldNs = SystemNanoClock.INSTANCE.nanoTime();
            hasRunOutOfPatience = true;
            isAbandoned = true;
            state = now; // a greeting of the old connection in between is of no use
            socket.disconnect(endpoint);
            socket.connect(endpoint);
        }
    }

    /** How often a connection broke and came back. Any thread. */
    int reconnects() {
        return reconnects;
    }

    /** How often the other side has greeted. Any thread. */
    int greetings() {
        return greetings;
    }

    /** Why there is no connection, or that it broke. Any thread. */
    Optional<String> errors() {
        return switch (state) {
            case ABSENT ->
                    Optional.of(
                            "Not connected: no publisher listens at %s; start the publisher, or give its address."
                                    .formatted(endpoint));
            case NOT_GREETED ->
                    hasRunOutOfPatience
                                    || SystemNanoClock.INSTANCE.nanoTime() - silentSinceNs
                                            > SILENCE_NS
                            ? Optional.of(
                                    ("Not connected: what listens at %s does not greet as ZeroMQ does (ZMTP);"
                                                    + " give the address of a publisher.")
                                            .formatted(endpoint))
                            : breaks.sentence(); // the greeting is on its way
            case LOST ->
                    breaks.count() > 0 || SystemNanoClock.INSTANCE.nanoTime() - lostNs < ENDING_NS
                            ? breaks.sentence()
                            : Optional.of(BROKE.formatted(lost()));
            case UNKNOWN, UP -> breaks.sentence();
        };
    }

    private String lost() {
        return "%s hung up; see whether the publisher runs".formatted(endpoint);
    }
}
