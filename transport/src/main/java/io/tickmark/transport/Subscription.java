package io.tickmark.transport;

import io.tickmark.kernel.role.Waker;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.IdleStrategy;

/** The receiving end of a channel and topic. Single-threaded. */
public interface Subscription extends Waker, AutoCloseable {
    /**
     * Passes messages that have arrived to the handler, on the caller's thread; never waits.
     *
     * @param handler called for each message
     * @param limit most messages to pass on
     * @return messages passed on; a transport that receives in batches may exceed the limit by the
     *     rest of a batch
     */
    int poll(MessageHandler handler, int limit);

    /**
     * Passes messages to the handler until {@code stop} turns true. The default loops over {@link
     * #poll}; an engine may wait in a better way of its own (a listener, a selector, a blocking
     * fetch), as long as it checks {@code stop} every 100 ms.
     *
     * @param handler called for each message
     * @param idleStrategy used when nothing has arrived
     * @param stop when it turns true the call returns
     */
    default void run(
            final MessageHandler handler,
            final IdleStrategy idleStrategy,
            final BooleanSupplier stop) {
        while (!stop.getAsBoolean()) {
            idleStrategy.idle(poll(handler, Integer.MAX_VALUE));
        }
    }

    /**
     * Whether {@link #run} calls the handler on a thread owned by the engine, which avoids the
     * hand-over to the caller's thread; the caller's thread waits meanwhile.
     *
     * @return false where {@code run} loops over {@link #poll}
     */
    default boolean runsOnOwnThread() {
        return false;
    }

    /**
     * Waits until something may have arrived, without spinning; the idle modes BLOCK and ADAPTIVE.
     * The default parks for 50 us at most.
     *
     * @param timeoutNs longest wait, at most 100 ms
     */
    @Override
    default void await(final long timeoutNs) {
        Waker.NONE.await(timeoutNs);
    }

    /**
     * {@inheritDoc}
     *
     * <p>False by default, as {@link #await} only parks by default.
     */
    @Override
    default boolean wakesOnArrival() {
        return false;
    }

    /**
     * {@inheritDoc}
     *
     * <p>A millisecond by default: selectors and many engines' clients count in whole ones.
     */
    @Override
    default long slackNs() {
        return TimeUnit.MILLISECONDS.toNanos(1);
    }

    /**
     * Whether the kernel stamps what arrives, so that {@link #arrivedNs} tells.
     *
     * @return the same for as long as this is open
     */
    default KernelStamps kernelStamps() {
        return KernelStamps.NOT_ASKED;
    }

    /**
     * When the message that the handler is being given reached its socket.
     *
     * @return by the clock of {@link System#nanoTime}; 0 where that is unknown
     */
    default long arrivedNs() {
        return 0;
    }

    /**
     * When the network card stamped the message that a handler is being given, where it stamps.
     *
     * @return by the clock of the card, from no known beginning; 0 where that is unknown
     */
    default long cardArrivedNs() {
        return 0;
    }

    /**
     * Whether a publication is at the other end, as far as the engine knows.
     *
     * @return true where it does not know
     */
    boolean isConnected();

    /**
     * Messages the transport itself knows to be lost on the way to this subscription.
     *
     * @return the count; 0 where it does not know (loss is then detected by sequence numbers)
     */
    default long lost() {
        return 0;
    }

    /**
     * The channel by which publications find this subscription, port filled in.
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

    /** Releases everything; idempotent. */
    @Override
    void close();
}
