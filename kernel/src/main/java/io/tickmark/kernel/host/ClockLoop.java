package io.tickmark.kernel.host;

import io.tickmark.kernel.result.NoiseSummary.CoreNoise;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.NanoClock;

/**
 * A loop that does nothing but read the clock: whatever makes a pass long (interrupts, the
 * scheduler, the hypervisor) would have delayed a measurement as well. One thread.
 */
final class ClockLoop {
    /** Passes longer than this are gaps: a thousand times what a pass takes. */
    static final long GAP_NS = TimeUnit.MICROSECONDS.toNanos(10);

    private static final long LONGEST_PASS_NS = TimeUnit.MINUTES.toNanos(1);
    private static final int DIGITS = 3;

    private final Histogram passes = new Histogram(LONGEST_PASS_NS, DIGITS);
    private long minNs;
    private long maxNs;
    private long gaps;
    private long stolenNs;
    private long watchedNs;

    /** Runs until the duration has passed on the clock, or until told to stop. */
    void watch(final NanoClock clock, final long durationNs, final BooleanSupplier stop) {
        reset();
        final long startNs = clock.nanoTime();
        long lastNs = startNs;
        do {
            final long nowNs = clock.nanoTime();
            pass(Math.max(0, nowNs - lastNs));
            lastNs = nowNs;
        } while (lastNs - startNs < durationNs && !stop.getAsBoolean());
        watchedNs = lastNs - startNs;
    }

    CoreNoise noise(final int core) {
        final double watchedSeconds = watchedNs / 1e9;
        return new CoreNoise(
                core,
                minNs,
                Math.min(maxNs, passes.getValueAtPercentile(99.99)),
                maxNs,
                watchedNs > 0 ? gaps / watchedSeconds : 0,
                watchedNs > 0 ? (double) stolenNs / watchedNs : 0);
    }

    private void pass(final long ns) {
        passes.recordValue(Math.min(ns, LONGEST_PASS_NS));
        minNs = Math.min(minNs, ns);
        maxNs = Math.max(maxNs, ns);
        if (ns > GAP_NS) {
            gaps++;
            stolenNs += ns;
        }
    }

    private void reset() {
        passes.reset();
        minNs = Long.MAX_VALUE;
        maxNs = 0;
        gaps = 0;
        stolenNs = 0;
    }
}
