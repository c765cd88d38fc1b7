package io.tickmark.engines.aeron;

/**
 * How often an end that finds nothing to do takes a turn of the duty cycle. A datagram arrives in
 * the turn, so with a driver that has no thread every idle call takes one. Shared memory and
 * drivers with threads deliver messages without it: there a turn is housekeeping, and one in many
 * calls is enough, with {@link Drivers.Keeper} as a fallback where calls are rare. Single-threaded.
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

    /** Whether messages are received and sent only in turns. */
    boolean bringMessages() {
        return bringsMessages;
    }

    /** Called when there is nothing else to do; returns the amount of work done, 0 for none. */
    int take() {
        if (bringsMessages || (++calls & HOUSEKEEPING_MASK) == 0) {
            return Math.max(0, duty.turn());
        }
        return 0;
    }
}
