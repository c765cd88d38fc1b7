package io.tickmark.workloads.market.hub;

import io.tickmark.kernel.role.IdleMode;

/**
 * Has the hub work before its trial begins, so that providers and consumers can connect while they
 * get ready. One thread at a time works: it must have stopped before another begins.
 */
final class HubPump {
    private final Hub hub;
    private volatile boolean stopped;
    private volatile Throwable failure;
    private Thread thread;

    HubPump(final Hub hub) {
        this.hub = hub;
    }

    void start() {
        stopped = false;
        thread = Thread.ofPlatform().daemon().name("hub-preparing").start(this::run);
    }

    private void run() {
        try {
            while (!stopped) {
                hub.work(IdleMode.BLOCK);
            }
        } catch (final RuntimeException | Error e) { // an error too: nobody else would hear of it
            failure = e;
        }
    }

    /** Stops the work; idempotent. */
    void stop() {
        if (thread == null) {
            return;
        }
        stopped = true;
        hub.loop().wake();
        try {
            thread.join();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread = null;
        final Throwable thrown = failure;
        failure = null; // once: who closes after that has nothing new to say
        if (thrown instanceof final Error error) {
            throw error;
        }
        if (thrown != null) {
            throw (RuntimeException) thrown;
        }
    }
}
