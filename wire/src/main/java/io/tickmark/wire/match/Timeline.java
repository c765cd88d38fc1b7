package io.tickmark.wire.match;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.RecordingOptions;
import io.tickmark.kernel.record.ResourceSource;
import io.tickmark.kernel.record.RoleRecording;
import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.time.VirtualClock;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * Records on the clock of the capture: its seconds are the intervals, its dates are those in the
 * files. Single thread.
 */
public final class Timeline implements AutoCloseable {
    private static final long INTERVAL_NS = 1_000_000_000L;

    private final VirtualClock clock = new VirtualClock(0);
    private final RoleRecording recording;
    private final Map<String, WireLatency> latencies = new LinkedHashMap<>();
    private long nextNs = Long.MAX_VALUE;
    private boolean isInStep;
    private Object owner;

    /**
     * A time line of nothing yet.
     *
     * @param directory for {@code stats.csv} and {@code latency.hlog}; empty for no files
     * @param repeat of the trial, from 1
     */
    public Timeline(final Optional<Path> directory, final int repeat) {
        recording =
                new RoleRecording(
                        new RecordingOptions(
                                directory,
                                repeat,
                                clock,
                                clock::nanoTime,
                                ResourceSource.NONE,
                                progress -> {}));
    }

    WireLatency latency(final String name) {
        return latencies.computeIfAbsent(name, key -> new WireLatency(recording.latency(name)));
    }

    Counter counter(final String name) {
        return recording.counter(name);
    }

    /**
     * Moves on to a packet's time; times that go back a little stay in the interval.
     *
     * @param timeNs since the epoch
     */
    public void moveTo(final long timeNs) {
        if (timeNs < nextNs) {
            return;
        }
        clock.jumpTo(nextNs);
        latencies.values().forEach(WireLatency::hand);
        recording.report();
        nextNs += (timeNs - nextNs) / INTERVAL_NS * INTERVAL_NS + INTERVAL_NS;
    }

    void beginStep(final int step, final String label, final long timeNs) {
        clock.jumpTo(Math.max(clock.nanoTime(), timeNs));
        recording.beginStep(step, label);
        latencies.values().forEach(WireLatency::begin);
        nextNs = clock.nanoTime() + INTERVAL_NS;
        isInStep = true;
    }

    /**
     * Whether this one may record: the first caller; two kinds of messages in one capture would be
     * mixed up in one histogram.
     */
    boolean isOf(final Object recorder) {
        if (owner == null) {
            owner = recorder;
        }
        return owner == recorder;
    }

    boolean isInStep() {
        return isInStep;
    }

    StepRecording endStep(final long timeNs) {
        clock.jumpTo(Math.max(clock.nanoTime(), timeNs));
        isInStep = false;
        nextNs = Long.MAX_VALUE;
        latencies.values().forEach(WireLatency::hand);
        final StepRecording recorded = recording.endStep();
        final Map<String, Histogram> exact = new LinkedHashMap<>();
        recorded.latencies()
                .forEach(
                        (name, histogram) -> exact.put(name, latencies.get(name).exact(histogram)));
        return new StepRecording(exact, recorded.counts());
    }

    /**
     * What to tell about the files.
     *
     * @return sentences
     */
    public List<String> warnings() {
        return recording.warnings();
    }

    @Override
    public void close() {
        recording.close();
    }
}
