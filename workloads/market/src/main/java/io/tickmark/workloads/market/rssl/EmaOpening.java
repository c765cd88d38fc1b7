package io.tickmark.workloads.market.rssl;

import com.refinitiv.ema.access.OmmException;
import io.tickmark.kernel.settings.UserError;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Opens a connection of the Message API. The library connects, logs in and loads the dictionary in
 * one call that cannot be interrupted: a separate thread makes it, so that a stop need not wait.
 *
 * @param <T> what the library makes
 */
public final class EmaOpening<T> {
    private final Consumer<T> closer;
    private final Object lock = new Object();
    private T made; // guarded by lock, as are the next two
    private String trouble = "";
    private boolean closed;

    /**
     * Not started yet.
     *
     * @param closer closes what was made
     */
    public EmaOpening(final Consumer<T> closer) {
        this.closer = closer;
    }

    /**
     * Begins; returns at once.
     *
     * @param maker makes the connection, once
     */
    public void start(final Supplier<T> maker) {
        Thread.ofPlatform().daemon().name("ema-connect").start(() -> run(maker));
    }

    private void run(final Supplier<T> maker) {
        try {
            JsonPools.fill();
            final T connected = maker.get();
            synchronized (lock) {
                if (!closed) {
                    made = connected;
                    return;
                }
            }
            closer.accept(connected);
        } catch (final OmmException e) {
            giveUp(text(e));
        } catch (final UserError e) {
            giveUp(e.getMessage());
        } catch (final RuntimeException e) {
            giveUp("the library failed: " + e);
        }
    }

    private void giveUp(final String why) {
        synchronized (lock) {
            trouble = why;
        }
    }

    /**
     * The library's message, in one line.
     *
     * @param e of a call
     * @return a text
     */
    public static String text(final OmmException e) {
        return e.getMessage().strip().replaceAll("\\s+", " ");
    }

    /**
     * The opened object.
     *
     * @return null until it exists
     */
    public T made() {
        synchronized (lock) {
            return made;
        }
    }

    /**
     * Why nothing was made.
     *
     * @return empty unless the library has given up
     */
    public String trouble() {
        synchronized (lock) {
            return trouble;
        }
    }

    /** Closes the opened object, now or once it exists; idempotent. */
    public void close() {
        final T open;
        synchronized (lock) {
            closed = true;
            open = made;
            made = null;
        }
        if (open != null) {
            closer.accept(open);
        }
    }
}
