package io.tickmark.engines.aeron;

import java.util.Optional;

/** A session and how many ends use it; the count is guarded by the lock of {@link Drivers}. */
final class DriverLease {
    /** Turns in a row while there is work. */
    private static final int MOST_TURNS = 16;

    private final Drivers drivers;
    private final DriverSession session;
    private final Optional<DriverWishes> wishes;
    private long turnsSeen;

    int users;
    long unusedSinceNs;

    DriverLease(
            final Drivers drivers,
            final DriverSession session,
            final Optional<DriverWishes> wishes) {
        this.drivers = drivers;
        this.session = session;
        this.wishes = wishes;
    }

    DriverSession session() {
        return session;
    }

    /** The properties of the hosted driver; empty for one that was joined. */
    Optional<DriverWishes> wishes() {
        return wishes;
    }

    /** Releases it for one end. */
    void release() {
        drivers.release(this);
    }

    /**
     * Takes turns where no thread did since the last look, and returns whether that was so;
     * keeper's thread.
     */
    boolean keepAlive() {
        final DutyCycle duty = session.duty();
        final boolean unattended = duty.turns() == turnsSeen;
        for (int turn = 0; unattended && turn < MOST_TURNS && duty.turn() > 0; turn++) {
            Thread.onSpinWait();
        }
        turnsSeen = duty.turns();
        return unattended;
    }
}
