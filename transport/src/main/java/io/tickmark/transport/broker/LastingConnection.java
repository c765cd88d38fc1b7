package io.tickmark.transport.broker;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.Break;
import io.tickmark.transport.EngineErrors;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A client's connection that is made again whenever it breaks, with everything that was opened on
 * it, until that succeeds: for clients whose own recovery gives up where a server that has just
 * started does not serve everything at once. Any thread.
 *
 * @param <C> the client's connection
 */
public final class LastingConnection<C> implements AutoCloseable {
    private static final long RETRY_NS = 200_000_000;
    private static final String BY_WHAT_WAS_OPENED = "what was opened by it has ended";

    private final String threadName;
    private final Connector<C> connector;
    private final Consumer<C> closer;
    private final List<Opened<C, ?>> opened = new CopyOnWriteArrayList<>();
    private final EngineErrors breaks = EngineErrors.ofBreaks();

    /** Those of them that were not only that something opened by it has ended. */
    private final EngineErrors ownBreaks = EngineErrors.ofBreaks();

    /** Since connecting again failed first, why it failed last. */
    private volatile Break refusal = Break.NONE;

    private volatile Life current;
    private volatile boolean isEnded;
    private volatile long reconnects;

    /**
     * Connects to the server.
     *
     * @param <C> the client's connection
     */
    @FunctionalInterface
    public interface Connector<C> {
        /**
         * Connects once.
         *
         * @param broken to be told the reason, a part of a sentence, when the connection breaks,
         *     from any thread, also more than once; not when it is closed on purpose
         * @return the connection
         * @throws UserError if nobody answers
         */
        C connect(Consumer<String> broken);
    }

    /**
     * What is opened by a connection, for the first time or again.
     *
     * @param <C> the client's connection
     * @param <T> what is opened
     * @param <X> thrown where the server does not serve it
     */
    @FunctionalInterface
    public interface Setup<C, T, X extends Exception> {
        /**
         * Opens it.
         *
         * @param by the connection
         * @param broken to be called when what was opened shows that the connection broke
         * @return what was opened
         * @throws X if the server does not serve it
         */
        T open(C by, Runnable broken) throws X;
    }

    /**
     * What was opened by this connection, or by the one that replaced it.
     *
     * @param <C> the client's connection
     * @param <T> what is opened
     */
    public static final class Opened<C, T> {
        private final Setup<C, T, ?> setup;
        private volatile T newest;

        private Opened(final Setup<C, T, ?> setup) {
            this.setup = setup;
        }

        private void openAgain(final C by, final Runnable broken) throws Exception {
            newest = setup.open(by, broken);
        }

        /** {@return what was opened by the newest connection; unusable while that is broken} */
        public T get() {
            return newest;
        }
    }

    /** One connection, from when it is being made. */
    private final class Life {
        private final AtomicBoolean isBeingReplaced = new AtomicBoolean();
        private volatile boolean isBroken;
        private volatile String reason = "";
        private C connection;

        private void broken(final String why) {
            if (!isBroken) {
                reason = why;
            }
            isBroken = true;
            if (current == this && !isEnded && isBeingReplaced.compareAndSet(false, true)) {
                breaks.broke(reason);
                if (!reason.equals(BY_WHAT_WAS_OPENED)) {
                    ownBreaks.broke(reason);
                }
                Thread.ofPlatform().daemon().name(threadName).start(() -> replace(this));
            }
        }
    }

    /**
     * Connects.
     *
     * @param threadName of threads that connect again
     * @param connector connects
     * @param closer ends a connection, broken or not; throws nothing
     * @throws UserError of kind environment that says what to do
     */
    public LastingConnection(
            final String threadName, final Connector<C> connector, final Consumer<C> closer) {
        this.threadName = threadName;
        this.connector = connector;
        this.closer = closer;
        use(connected());
    }

    private Life connected() {
        final Life next = new Life();
        next.connection = connector.connect(next::broken);
        return next;
    }

    private void use(final Life next) {
        current = next;
        if (next.isBroken) {
            next.broken(next.reason); // it broke before it was ours
        }
    }

    /**
     * Opens something, now and whenever the connection was made again.
     *
     * @param setup opens it
     * @param <T> what is opened
     * @return what is open
     * @param <X> thrown where the server does not serve it
     * @throws X if the server does not serve it
     */
    public synchronized <T, X extends Exception> Opened<C, T> open(final Setup<C, T, X> setup)
            throws X {
        final Opened<C, T> next = new Opened<>(setup);
        opened.add(next);
        final Life by = current;
        boolean isOpen = false;
        try {
            next.newest = setup.open(by.connection, () -> broken(next, by));
            isOpen = true;
            return next;
        } finally {
            if (!isOpen) {
                opened.remove(next);
            }
        }
    }

    /** What is no longer opened may be closed. */
    private void broken(final Opened<C, ?> one, final Life by) {
        if (opened.contains(one)) {
            by.broken(BY_WHAT_WAS_OPENED);
        }
    }

    /**
     * No longer opens it again; closing it after this call is not a break.
     *
     * @param ended what was opened
     */
    public void forget(final Opened<C, ?> ended) {
        opened.remove(ended);
    }

    private void replace(final Life old) {
        while (!isEnded && !isReplaced(old)) {
            LockSupport.parkNanos(RETRY_NS);
        }
    }

    private synchronized boolean isReplaced(final Life old) {
        closer.accept(old.connection);
        final Life next;
        try {
            next = connected();
        } catch (
                final RuntimeException
                        e) { // whatever a client throws: the next attempt may succeed
            refusedBy(e);
            return false;
        }
        try {
            for (final Opened<C, ?> each : opened) {
                each.openAgain(next.connection, () -> broken(each, next));
            }
        } catch (final Exception e) {
            closer.accept(next.connection);
            refusedBy(e);
            return false;
        }
        reconnects++;
        breaks.mended();
        ownBreaks.mended();
        refusal = Break.NONE;
        BoundedClose.serverAnswered();
        use(next);
        if (isEnded) {
            closer.accept(next.connection);
        }
        return true;
    }

    /** Another password since, or a topic with other settings: it may last to the end. */
    private void refusedBy(final Exception e) {
        final String why =
                e instanceof UserError
                        ? e.getMessage()
                        : "it failed (" + EngineErrors.said(e) + ").";
        refusal = refusal.isNone() ? Break.now(why) : new Break(why, refusal.atNs());
    }

    /** {@return the newest connection, which may be broken} */
    public C get() {
        return current.connection;
    }

    /** {@return whether it has a connection that is not known to be broken} */
    public boolean isServed() {
        return !current.isBroken;
    }

    /** {@return how often it was made again} */
    public long reconnects() {
        return reconnects;
    }

    /**
     * Reports that it broke.
     *
     * @return sentences, with the reason why it is not back; empty where it did not break, or has
     *     only just done so
     */
    public Optional<String> errors() {
        return errors(breaks);
    }

    /**
     * Reports that it broke by itself, for a client that reports itself that what was opened by the
     * connection has ended.
     *
     * @return as {@link #errors}, except those for which something opened on it had ended
     */
    public Optional<String> ownErrors() {
        return errors(ownBreaks);
    }

    private Optional<String> errors(final EngineErrors ofBreaks) {
        return EngineErrors.together(
                ofBreaks.sentence(), refusal.lasting().map("Reconnecting failed: %s"::formatted));
    }

    /** Closes everything that was opened by it. */
    @Override
    public void close() {
        isEnded = true;
        closer.accept(current.connection);
    }
}
