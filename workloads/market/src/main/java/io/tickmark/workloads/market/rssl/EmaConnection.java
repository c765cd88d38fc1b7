package io.tickmark.workloads.market.rssl;

import io.tickmark.kernel.loop.LoopGroup;
import io.tickmark.kernel.role.Idle;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A connection on the Message API, which connects, logs in and reconnects by itself. The
 * connection's thread dispatches, or a thread of the library does.
 *
 * @param <T> the library's object for it
 */
public abstract class EmaConnection<T> implements LibraryConnection {
    private final LoopGroup group;
    private final Destination destination;
    private final LibraryDispatch libraryDispatch;
    private final EmaWait wait;
    private final EmaOpening<T> opening;
    private T opened;
    private long openedNs;
    private long loginNs;

    /**
     * Dispatches on the calling thread.
     *
     * @param <T> the library's object
     */
    @FunctionalInterface
    public interface Dispatcher<T> {
        /**
         * Takes what has arrived.
         *
         * @param opened with what
         * @param us how long to wait for it
         * @return as the library's
         */
        long dispatch(T opened, long us);
    }

    /**
     * Not connected.
     *
     * @param group of the role's loops
     * @param destination to connect to
     * @param libraryDispatch which thread dispatches
     * @param idle how the connection's thread waits
     * @param dispatcher the library's method
     * @param closer the library's method that closes
     */
    protected EmaConnection(
            final LoopGroup group,
            final Destination destination,
            final LibraryDispatch libraryDispatch,
            final Idle idle,
            final Dispatcher<T> dispatcher,
            final Consumer<T> closer) {
        this.group = group;
        this.destination = destination;
        this.libraryDispatch = libraryDispatch;
        wait = new EmaWait(idle, us -> dispatcher.dispatch(opened, us));
        opening = new EmaOpening<>(closer);
    }

    /**
     * Connects; called by a thread of its own.
     *
     * @return connected and logged in
     */
    protected abstract T connect();

    /**
     * The library has connected and logged in.
     *
     * @param made by {@link #connect}
     */
    protected abstract void opened(T made);

    /**
     * Ends the test where the connection can no longer be used; called whenever it has dispatched.
     *
     * @param nowNs current time
     */
    protected abstract void check(long nowNs);

    @Override
    public void open() {
        libraryDispatch.begin();
        openedNs = group.context().clock().nanoTime();
        opening.start(this::connect);
    }

    /**
     * Where it connects to, and how long it tries, for its configuration.
     *
     * @param requestTimeout after which the library asks again for an item; zero for never
     * @return part of the file
     */
    protected final EmaFile.Calling calling(final Duration requestTimeout) {
        return new EmaFile.Calling(
                destination.peer(),
                TimeUnit.NANOSECONDS.toMillis(group.context().connectTimeoutNs()),
                destination.reconnectDelay().toMillis(),
                requestTimeout.toMillis());
    }

    @Override
    public final void dispatch(final long nowNs) {
        if (opened == null) {
            lookForOpened(nowNs);
            return;
        }
        if (!libraryDispatch.isOn()) {
            wait.poll();
        }
        check(nowNs);
    }

    private void lookForOpened(final long nowNs) {
        opened = opening.made();
        if (opened != null) {
            loginNs = nowNs - openedNs;
            opened(opened);
        } else if (!opening.trouble().isEmpty()) {
            group.fail(
                    "The %s at %s cannot be used: %s."
                            .formatted(destination.kind(), destination.peer(), opening.trouble()));
        }
    }

    @Override
    public void idle(final long forNs) {
        wait.idle(forNs, opened != null && !libraryDispatch.isOn());
    }

    @Override
    public String diagnosis() {
        return "nothing answers at %s, or the login goes unanswered; start the %s first, and check host and --port"
                .formatted(destination.peer(), destination.kind());
    }

    /** From the first attempt to the end of the opening: the library reports nothing finer. */
    @Override
    public final long loginNs() {
        return loginNs;
    }

    @Override
    public final long libraryThread() {
        return libraryDispatch.threadId();
    }

    @Override
    public void close() {
        opening.close();
    }
}
