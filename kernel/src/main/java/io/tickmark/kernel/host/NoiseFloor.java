package io.tickmark.kernel.host;

import io.tickmark.kernel.result.NoiseSummary;
import io.tickmark.kernel.result.NoiseSummary.CoreNoise;
import io.tickmark.kernel.result.Percentiles;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.NanoClock;

/**
 * Measures how quiet cores are: one pinned thread on each reads the clock in a loop, all at the
 * same time. Keeps those cores busy for the duration; call it while nothing is being measured.
 */
public final class NoiseFloor {
    /** So that the loop is compiled before it counts. */
    private static final long WARM_UP_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /** How much longer than requested a starved thread may take before it is stopped. */
    private static final long GRACE_NS = TimeUnit.SECONDS.toNanos(30);

    private final NanoClock clock;
    private final long graceNs;
    private volatile boolean stop;

    /**
     * Measures with one clock.
     *
     * @param clock monotonic, to be read from several threads
     */
    public NoiseFloor(final NanoClock clock) {
        this(clock, GRACE_NS);
    }

    NoiseFloor(final NanoClock clock, final long graceNs) {
        this.clock = clock;
        this.graceNs = graceNs;
    }

    /**
     * Watches cores at the same time; returns early, with what was seen, when the calling thread is
     * interrupted.
     *
     * @param cores to watch; one that cannot be pinned to is watched from wherever the thread runs
     *     and reported as core -1
     * @param durationNs how long
     * @return one entry for each core, in the order given
     * @throws IllegalArgumentException if the duration is not positive
     */
    public NoiseSummary measure(final List<Integer> cores, final long durationNs) {
        if (durationNs < 1) {
            throw new IllegalArgumentException("durationNs " + durationNs + " must be positive");
        }
        stop = false;
        final List<FutureTask<CoreNoise>> tasks = new ArrayList<>();
        for (final int core : cores) {
            final FutureTask<CoreNoise> task = new FutureTask<>(() -> watch(core, durationNs));
            final Thread thread = new Thread(task, "noise-floor-" + core);
            thread.setDaemon(true);
            thread.start();
            tasks.add(task);
        }
        try {
            return new NoiseSummary(durationNs, await(tasks, durationNs + graceNs));
        } finally {
            stop = true;
        }
    }

    private CoreNoise watch(final int core, final long durationNs) {
        final boolean pinned = core >= 0 && Affinity.pin(core).isEmpty();
        final ClockLoop loop = new ClockLoop();
        loop.watch(clock, Math.min(WARM_UP_NS, durationNs), () -> stop);
        loop.watch(clock, durationNs, () -> stop);
        return loop.noise(pinned ? core : -1);
    }

    private List<CoreNoise> await(final List<FutureTask<CoreNoise>> tasks, final long boundNs) {
        final List<CoreNoise> noise = new ArrayList<>();
        boolean interrupted = false;
        while (noise.size() < tasks.size()) {
            try {
                noise.add(tasks.get(noise.size()).get(boundNs, TimeUnit.NANOSECONDS));
            } catch (final InterruptedException e) {
                interrupted = true;
                stop = true; // the loop sees it in its next pass and the task ends
            } catch (final TimeoutException e) {
                stop = true;
            } catch (final ExecutionException e) {
                throw new IllegalStateException("The noise floor was not measured", e);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return noise;
    }

    /**
     * A loop that does nothing but read the clock: whatever makes a pass long (interrupts, the
     * scheduler, the hypervisor) would have delayed a measurement as well. One thread.
     */
    static final class ClockLoop {
        /** Passes longer than this are gaps: a thousand times what a pass takes. */
        static final long GAP_NS = TimeUnit.MICROSECONDS.toNanos(10);

        private static final long LONGEST_PASS_NS = TimeUnit.MINUTES.toNanos(1);
        private static final int DIGITS = 3;
        private static final double P9999 = 99.99;

        private final Histogram passes = new Histogram(LONGEST_PASS_NS, DIGITS);
        private long minNs;
        private long maxNs;
        private long gaps;
        private long stolenNs;
        private long watchedNs;

        /** Runs until the duration has passed on the clock, or until it is stopped. */
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
                    Percentiles.of(passes, P9999).stream()
                            .map(ns -> Math.min(maxNs, ns))
                            .findFirst(),
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
}
