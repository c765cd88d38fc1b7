package io.tickmark.transport.broker;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.agrona.concurrent.SystemNanoClock;

/**
 * How long a server that is not ready yet is asked again: {@code while (!isReady()) if
 * (!patience.lasts()) throw ...}. Control threads only.
 */
public final class Patience {
    private final long startNs = SystemNanoClock.INSTANCE.nanoTime();
    private final long longestNs;
    private final long pauseNs;

    /**
     * Begins now.
     *
     * @param longest time until it ends
     * @param pause between two attempts
     */
    public Patience(final Duration longest, final Duration pause) {
        longestNs = longest.toNanos();
        pauseNs = pause.toNanos();
    }

    /**
     * Waits for the next attempt.
     *
     * @return false, without waiting, once the time is over or the thread was interrupted
     */
    public boolean lasts() {
        if (Thread.currentThread().isInterrupted()
                || SystemNanoClock.INSTANCE.nanoTime() - startNs > longestNs) {
            return false;
        }
        LockSupport.parkNanos(pauseNs);
        return true;
    }

    /**
     * A request to a server that may refuse it for a while.
     *
     * @param <T> the answer
     * @param <X> thrown where it is refused
     * @param <Y> thrown where it is refused in another way
     */
    @FunctionalInterface
    public interface Request<T, X extends Exception, Y extends Exception> {
        /**
         * Makes it.
         *
         * @return the answer
         * @throws X where it is refused
         * @throws Y where it is refused in another way
         */
        T make() throws X, Y;
    }

    /**
     * Makes a request until it is answered.
     *
     * @param <T> the answer
     * @param <X> thrown where it is refused
     * @param <Y> thrown where it is refused in another way
     * @param request to make
     * @param mayPass whether a refusal may be over in a moment
     * @return the answer
     * @throws X the last refusal
     * @throws Y the last refusal
     */
    public <T, X extends Exception, Y extends Exception> T ask(
            final Request<T, X, Y> request, final Predicate<? super Exception> mayPass)
            throws X, Y {
        while (true) {
            try {
                return request.make();
            } catch (final Exception e) { // that of the request, which is thrown in the end
                if (!mayPass.test(e) || !lasts()) {
                    throw e;
                }
            }
        }
    }
}
