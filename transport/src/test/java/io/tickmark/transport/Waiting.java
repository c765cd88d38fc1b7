package io.tickmark.transport;

import static org.assertj.core.api.Assertions.fail;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Waits for what other threads or processes do, with a deadline that no machine is too slow for.
 */
public final class Waiting {
    private static final long PATIENCE_NS =
            TimeUnit.MINUTES.toNanos(2) * Integer.getInteger("tickmark.test.patience", 1);

    private Waiting() {}

    /**
     * Waits where the test says by itself what it waits for.
     *
     * @param condition checked ten times a millisecond
     */
    public static void until(final BooleanSupplier condition) {
        until("what is waited for did not happen", condition);
    }

    /**
     * Waits.
     *
     * @param what for the message of a failure
     * @param condition checked ten times a millisecond
     */
    public static void until(final String what, final BooleanSupplier condition) {
        until(() -> what, condition);
    }

    /**
     * Waits.
     *
     * @param what for the message of a failure, as it is then
     * @param condition checked ten times a millisecond
     */
    public static void until(final Supplier<String> what, final BooleanSupplier condition) {
        final long startNs = SystemNanoClock.INSTANCE.nanoTime();
        while (!condition.getAsBoolean()) {
            if (SystemNanoClock.INSTANCE.nanoTime() - startNs > PATIENCE_NS) {
                fail("never: " + what.get());
            }
            LockSupport.parkNanos(100_000);
        }
    }
}
