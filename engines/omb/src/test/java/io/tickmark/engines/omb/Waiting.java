package io.tickmark.engines.omb;

import static org.assertj.core.api.Assertions.fail;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.SystemNanoClock;

/** Waits for what other threads do, with a deadline. */
final class Waiting {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

    private Waiting() {}

    static void until(final String what, final BooleanSupplier condition) {
        final long startNs = SystemNanoClock.INSTANCE.nanoTime();
        while (!condition.getAsBoolean()) {
            if (SystemNanoClock.INSTANCE.nanoTime() - startNs > PATIENCE_NS) {
                fail("never: " + what);
            }
            LockSupport.parkNanos(100_000);
        }
    }
}
