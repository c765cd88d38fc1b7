package io.tickmark.engines.zeromq;

import io.tickmark.transport.Break;
import io.tickmark.transport.EngineErrors;
import java.util.Optional;
import org.agrona.concurrent.SystemNanoClock;
import org.zeromq.ZEvent;
import org.zeromq.ZMQ;

/**
 * The connection of a connecting socket. The library's threads report its events and reconnect. The
 * socket's own thread reconnects where they do not: they give up on a peer that violates the
 * protocol, and JeroMQ 0.6.0 leaves about one new connection in ten deaf (its poller processes
 * handles in the order of a hash set; where it drops that of the connecting channel after that of
 * the connected one, it drops the selection key that both share).
 */
final class WatchedConnection {
    private static final int EVENTS =
            ZMQ.EVENT_CONNECTED
                    | ZMQ.EVENT_HANDSHAKE_PROTOCOL
                    | ZMQ.EVENT_DISCONNECTED
                    | ZMQ.EVENT_CLOSED
                    | ZMQ.EVENT_CONNECT_RETRIED;

    /** By then the library would have tried a hundred times, with an event for each. */
    private static final long LIBRARY_GIVES_UP_NS = 1_000_000_000;

    /** Many times the duration of a greeting; doubled each time, as the machine may be busy. */
    private static final long FIRST_TIMEOUT_NS = 50_000_000;

    /** A server that accepts connections without a greeting for so long is reported. */
    private static final long SILENCE_NS = 1_000_000_000;

    private static final String BROKE = "The connection broke: %s.";

    private final ZMQ.Socket socket;
    private final String endpoint;
    private final EngineErrors breaks =
            new EngineErrors(BROKE, "The connection broke %d times, first: %s.");
    private volatile State state = State.UNKNOWN;
    private volatile long lastEventNs = SystemNanoClock.INSTANCE.nanoTime();
    private volatile Break loss = Break.NONE;
    private volatile long silentSinceNs;
    private volatile boolean hasTimedOut;
    private volatile int greetings;
    private volatile int reconnects;

    /** A connection was lost, and no new one has been greeted yet; used by the library's thread. */
    private boolean isBroken;

    /** We ended the connection ourselves, so its end does not count as a break. */
    private volatile boolean isAbandoned;

    private long greetingTimeoutNs = FIRST_TIMEOUT_NS;

    /** What is known about the other side. */
    private enum State {
        UNKNOWN,
        ABSENT,
        NOT_GREETED,
        UP,
        LOST
    }

    /** Starts to connect, without waiting. */
    WatchedConnection(final ZMQ.Socket socket, final String endpoint) {
        this.socket = socket;
        this.endpoint = endpoint;
        final ZEvent.ZEventConsummer hook = this::onEvent;
        socket.setEventHook(hook, EVENTS);
        socket.connect(endpoint);
    }

    /** On a thread of the library, one at a time. */
    private void onEvent(final ZEvent event) {
        lastEventNs = SystemNanoClock.INSTANCE.nanoTime();
        switch (event.getEvent()) {
            case CONNECTED -> {
                isAbandoned = false;
                if (state == State.UNKNOWN || state == State.ABSENT) {
                    silentSinceNs = lastEventNs;
                    hasTimedOut = false;
                    state = State.NOT_GREETED;
                }
            }
            case HANDSHAKE_PROTOCOL -> {
                // The value is its version of ZMTP; the library reports 0 for any other protocol.
                final Integer version = event.getValue();
                if (version > 0) {
                    onGreeting();
                }
            }
            case DISCONNECTED -> {
                if (state == State.UP) {
                    loss = Break.now(lost());
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

    /** Whether a ZeroMQ socket has greeted at the other end. Any thread. */
    boolean isUp() {
        return state == State.UP;
    }

    /** Reconnects where the library no longer does. Called by the socket's thread. */
    void revive() {
        final State now = state;
        final long timeoutNs = now == State.LOST ? LIBRARY_GIVES_UP_NS : greetingTimeoutNs;
        if ((now == State.NOT_GREETED || now == State.LOST)
                && SystemNanoClock.INSTANCE.nanoTime() - lastEventNs > timeoutNs) {
            greetingTimeoutNs = Math.min(2 * greetingTimeoutNs, LIBRARY_GIVES_UP_NS);
            lastEventNs = SystemNanoClock.INSTANCE.nanoTime();
            hasTimedOut = true;
            isAbandoned = true;
            state = now; // ignores a greeting of the old connection that arrived in between
            socket.disconnect(endpoint);
            socket.connect(endpoint);
        }
    }

    /** How often a connection broke and was restored. Any thread. */
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
                    hasTimedOut || SystemNanoClock.INSTANCE.nanoTime() - silentSinceNs > SILENCE_NS
                            ? Optional.of(
                                    ("Not connected: what listens at %s does not answer with ZeroMQ's greeting (ZMTP);"
                                                    + " give the address of a publisher.")
                                            .formatted(endpoint))
                            : breaks.sentence(); // the greeting may still arrive
            case LOST ->
                    breaks.count() > 0 ? breaks.sentence() : loss.lasting().map(BROKE::formatted);
            case UNKNOWN, UP -> breaks.sentence();
        };
    }

    private String lost() {
        return "%s hung up; see whether the publisher runs".formatted(endpoint);
    }
}
