package io.tickmark.kernel.host;

import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.NanoClock;

/**
 * Detects that the wall clock stepped against the monotonic clock during a trial: a correction by
 * hand or by a time service, a machine that slept. Slewing moves both clocks alike and is not
 * detected. Any thread; not for hot threads.
 */
public final class ClockCheck {
    /**
     * Far above the uncertainty of reading two clocks one after the other, far below a real step.
     */
    static final long BOUND_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** A reading that took longer than this was interrupted and is tried again. */
    private static final long CLEAN_READING_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private static final int MAX_READINGS = 10;

    private final NanoClock monotonic;
    private final EpochNanoClock wall;
    private long beginNs;
    private Offset begin;
    private long largestStepNs;

    /**
     * A reading of both clocks.
     *
     * @param ns wall clock minus monotonic clock
     * @param withinNs how long the reading took, which is its uncertainty
     */
    private record Offset(long ns, long withinNs) {}

    /**
     * Starts watching.
     *
     * @param monotonic the clock that measures
     * @param wall the clock that may step
     */
    public ClockCheck(final NanoClock monotonic, final EpochNanoClock wall) {
        this.monotonic = monotonic;
        this.wall = wall;
        begin();
    }

    /** Begins a trial. */
    public synchronized void begin() {
        begin = read();
        beginNs = monotonic.nanoTime();
        largestStepNs = 0;
    }

    /** Reads the clocks occasionally during the trial, to detect a step that is undone later. */
    public synchronized void sample() {
        final Offset now = read();
        final long stepNs = now.ns - begin.ns;
        final long certainNs = Math.abs(stepNs) - now.withinNs - begin.withinNs;
        if (certainNs > BOUND_NS && Math.abs(stepNs) > Math.abs(largestStepNs)) {
            largestStepNs = stepNs;
        }
    }

    /**
     * Reads the clocks once more and judges the trial.
     *
     * @return a sentence when the wall clock stepped by more than 1 ms
     */
    public synchronized Optional<String> warning() {
        sample();
        if (largestStepNs == 0) {
            return Optional.empty();
        }
        final double overSeconds = (monotonic.nanoTime() - beginNs) / 1e9;
        return Optional.of(
                String.format(
                        Locale.ROOT,
                        "The wall clock stepped by %+.3f ms against the monotonic clock within %.1f s:"
                                + " times of day in logs are off, and one-way latencies between hosts"
                                + " are not to be trusted.",
                        largestStepNs / 1e6,
                        overSeconds));
    }

    private Offset read() {
        Offset best = null;
        for (int i = 0; i < MAX_READINGS; i++) {
            final long beforeNs = monotonic.nanoTime();
            final long wallNs = wall.nanoTime();
            final long withinNs = monotonic.nanoTime() - beforeNs;
            if (best == null || withinNs < best.withinNs) {
                best = new Offset(wallNs - beforeNs - withinNs / 2, withinNs);
            }
            if (withinNs <= CLEAN_READING_NS) {
                break;
            }
        }
        return best;
    }
}
