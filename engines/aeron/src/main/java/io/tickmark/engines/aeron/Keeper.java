package io.tickmark.engines.aeron;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A daemon thread that does the duty cycles nobody else does: while a role prepares, lingers or
 * waits elsewhere, drivers and clients must not be given up by their counterparts. While they are
 * called often it only reads a counter a hundred times a second.
 */
final class Keeper implements Runnable {
    private static final long NEEDED_PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long NOT_NEEDED_PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Drivers drivers;
    private boolean running;

    Keeper(final Drivers drivers) {
        this.drivers = drivers;
    }

    /** Starts the thread unless it runs. */
    synchronized void ensureRunning() {
        if (!running) {
            running = true;
            final Thread thread = new Thread(this, "aeron-keeper");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private synchronized boolean mayStop() {
        running = !drivers.isEmpty();
        return !running;
    }

    @Override
    public void run() {
        while (!mayStop()) {
            final boolean needed = drivers.keepAlive();
            LockSupport.parkNanos(needed ? NEEDED_PERIOD_NS : NOT_NEEDED_PERIOD_NS);
        }
    }
}
