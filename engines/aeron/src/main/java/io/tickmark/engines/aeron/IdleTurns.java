package io.tickmark.engines.aeron;

/**
 * How often an end that finds nothing to do takes a turn of the duty cycle. A datagram arrives in
 * the turn, so with a driver that has no thread every idle call takes one. Shared memory and
 * drivers with threads bring messages without it: there a turn is housekeeping, and one in so many
 * calls is enough, with {@link Drivers.Keeper} behind it where calls are rare. One thread.
 */
final class IdleTurns {
    private static final int HOUSEKEEPING_MASK = 255;

    private final DutyCycle duty;
    private final boolean bringsMessages;
    private int calls;

    IdleTurns(final DutyCycle duty, final boolean ipc) {
        this.duty = duty;
        this.bringsMessages = duty.drivesDriver() && !ipc;
    }

    /** Whether messages come and go in turns only. */
    boolean bringMessages() {
        return bringsMessages;
    }

    /** Called when there is nothing else to do; the amount of work done, 0 for none. */
    int take() {
        if (bringsMessages || (++calls & HOUSEKEEPING_MASK) == 0) {
            return Math.max(0, duty.turn());
        }
        return 0;
    }
}
