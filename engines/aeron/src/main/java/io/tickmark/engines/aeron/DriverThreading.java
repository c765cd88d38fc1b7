package io.tickmark.engines.aeron;

/** How an embedded driver's work is spread over threads. */
enum DriverThreading {
    /** INVOKER where cores are few, otherwise SHARED. */
    AUTO,
    /** No separate thread: the callers of publications and subscriptions drive it. */
    INVOKER,
    /** One thread for all of it. */
    SHARED,
    /** One thread each for conductor, sender and receiver. */
    DEDICATED;

    /** Most cores on which a driver thread would take one from a hot thread. */
    private static final int FEW_CORES = 4;

    DriverThreading on(final int cores) {
        if (this != AUTO) {
            return this;
        }
        return cores <= FEW_CORES ? INVOKER : SHARED;
    }
}
