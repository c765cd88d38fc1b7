package io.tickmark.transport;

import java.util.Map;
import java.util.Optional;
import org.agrona.DirectBuffer;

/**
 * The sending end of a channel and topic. Single-threaded. Never blocks: a message that cannot be
 * taken now is refused with a code; an engine whose own threads make room may wait for a
 * millisecond before it refuses, and says so in its documentation. The built-in transports and
 * Aeron allocate nothing in {@code offer}, {@code tryClaim}, {@code flush} and {@code doWork};
 * others declare it in their traits.
 */
public interface Publication extends AutoCloseable {
    /** No receiver yet, or no longer. */
    long NOT_CONNECTED = -1;

    /** The engine or a receiver cannot take it now; try again. */
    long BACK_PRESSURED = -2;

    /** The engine is busy with itself (term rotation); try again at once. */
    long ADMIN_ACTION = -3;

    /** Closed, by this side or by the engine; final. */
    long CLOSED = -4;

    /** Longer than {@link TransportTraits#maxPayloadBytes()}; final for this message. */
    long TOO_LONG = -6;

    /** Value of {@link #subscriberCount()} where the engine does not know it. */
    int UNKNOWN_COUNT = -1;

    /**
     * Sends a message, copying it.
     *
     * @param buffer that holds the message
     * @param offset of the message
     * @param length of the message
     * @return a position that grows with every message (engine's own measure), or a negative code
     */
    long offer(DirectBuffer buffer, int offset, int length);

    /**
     * How many messages it sends with one call, so that a caller of {@link #offerAll} can offer
     * whole numbers of them.
     *
     * @return 1 where each message is sent by itself
     */
    default int batch() {
        return 1;
    }

    /**
     * Sends consecutive messages of the same length, copying them. Equivalent to as many calls of
     * {@link #offer}, for engines that can do it with fewer calls.
     *
     * @param buffer that holds the messages
     * @param offset of the first
     * @param length of each
     * @param count how many, at least 1
     * @return how many were taken, counted from the first; may be fewer than {@code count}; a
     *     negative code where none was taken
     */
    default int offerAll(
            final DirectBuffer buffer, final int offset, final int length, final int count) {
        for (int taken = 0; taken < count; taken++) {
            final long position = offer(buffer, offset + taken * length, length);
            if (position < 0) {
                return taken > 0 ? taken : (int) position;
            }
        }
        return count;
    }

    /**
     * Claims room for a message in the engine's own memory, to be filled and committed; only where
     * {@link TransportTraits#claims()}.
     *
     * @param length of the message
     * @param claim to point at the room
     * @return a position, or a negative code
     */
    default long tryClaim(final int length, final Claim claim) {
        throw new IllegalStateException(
                "this transport does not support claims: see TransportTraits.claims()");
    }

    /**
     * Sends what {@link #offer} has gathered, where the transport gathers.
     *
     * @return messages sent; 0 where there was nothing to send; a negative code when it must be
     *     called again
     */
    default int flush() {
        return 0;
    }

    /**
     * Drives the engine: invokers, acknowledgements, connections coming in. Must be called whenever
     * there is nothing to send, also while preparing and lingering.
     *
     * @return amount of work done, 0 for none
     */
    default int doWork() {
        return 0;
    }

    /**
     * How many subscribers the engine knows.
     *
     * @return the count, or {@link #UNKNOWN_COUNT}
     */
    int subscriberCount();

    /**
     * Whether the kernel stamps what departs, so that {@link #departedNs} tells.
     *
     * @return may change with the first messages: only they show that their path has no stamps
     */
    default KernelStamps kernelStamps() {
        return KernelStamps.NOT_ASKED;
    }

    /**
     * When the kernel handed a message to the network device; known soon after, once {@link
     * #doWork} was called, and only until a few thousand others have been sent. Where several
     * receivers get a datagram each, that of the first counts.
     *
     * @param position that {@link #offer} returned for it
     * @return by the clock of {@link System#nanoTime}; 0 where that is unknown
     */
    default long departedNs(final long position) {
        return 0;
    }

    /**
     * When the kernel handed a message to the queueing discipline of the network device, which is
     * known as {@link #departedNs} is.
     *
     * @param position that {@link #offer} returned for it
     * @return by the clock of {@link System#nanoTime}; 0 where that is unknown
     */
    default long queuedNs(final long position) {
        return 0;
    }

    /**
     * When a network card stamped a message on its way out, which is known as {@link #departedNs}
     * is, where the card stamps.
     *
     * @param position that {@link #offer} returned for it
     * @return by the clock of the card, from no known beginning; 0 where that is unknown
     */
    default long cardDepartedNs(final long position) {
        return 0;
    }

    /**
     * The channel by which subscriptions find this publication, port and directories filled in.
     *
     * @return the resolved channel
     */
    ChannelUri channel();

    /**
     * What the transport reports about this end for the result: options that the system really
     * applied (kernel batches, effective buffer sizes), where they may differ from what was
     * requested. Read after opening and again at the end, never during a measurement.
     *
     * @return name in camel case, with the unit in the name, to a number, boolean or text; empty
     *     where there is nothing to report
     */
    default Map<String, Object> facts() {
        return Map.of();
    }

    /**
     * Whether a fact counts events of this end. Of the ends of several topics such facts are added
     * up; of any other that of the first topic is reported.
     *
     * @param fact a name in {@link #facts}
     * @return false by default
     */
    default boolean isCount(final String fact) {
        return false;
    }

    /**
     * Errors that the engine reported on its own threads since this end was opened and that no
     * return code reported. Read when it is opened and at the end, never during a measurement.
     *
     * @return a sentence with the number of errors; empty where there were none
     */
    default Optional<String> engineErrors() {
        return Optional.empty();
    }

    /**
     * How messages are framed on a network and by which link they leave, from which their rate on
     * the wire is derived. Read when receivers are known, never during a measurement.
     *
     * @return the path; empty where messages stay in memory, or where it is not known
     */
    default Optional<WirePath> wirePath() {
        return Optional.empty();
    }

    /** Sends what was gathered if that needs no waiting, and releases everything; idempotent. */
    @Override
    void close();
}
