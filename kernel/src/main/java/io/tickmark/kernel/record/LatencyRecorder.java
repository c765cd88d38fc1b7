package io.tickmark.kernel.record;

import io.tickmark.kernel.result.Counts;
import java.util.ArrayDeque;
import java.util.Deque;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * Records latencies of one kind with full histograms per interval; one writer thread, drained by
 * the reporter's thread. The hot path allocates nothing and takes no lock. Values out of range are
 * counted, never dropped silently.
 */
public final class LatencyRecorder {
    /** Largest latency recorded: one hour. */
    public static final long HIGHEST_NS = 3_600_000_000_000L;

    /** Decimal digits kept. */
    public static final int DIGITS = 3;

    private final String name;
    private final SingleWriterRecorder recorder = new SingleWriterRecorder(1, HIGHEST_NS, DIGITS);
    private final Counter notPositive = new Counter(Counts.NOT_POSITIVE);
    private final Counter outOfRange = new Counter(Counts.OUT_OF_RANGE);
    private final Deque<Histogram> spare = new ArrayDeque<>();

    /** Null where no faults are planned, which costs one check. */
    private volatile Deliveries deliveries;

    private volatile int step = LatencyLog.NO_STEP;

    LatencyRecorder(final String name) {
        this.name = name;
    }

    /**
     * One of {@link io.tickmark.kernel.result.Latencies}.
     *
     * @return the name
     */
    public String name() {
        return name;
    }

    /**
     * Records one latency; writer thread only.
     *
     * @param latencyNs in ns; zero or less and above {@link #HIGHEST_NS} is counted separately
     */
    public void record(final long latencyNs) {
        noteDelivery(latencyNs);
        if (latencyNs <= 0) {
            notPositive.increment();
        } else if (latencyNs > HIGHEST_NS) {
            outOfRange.increment();
        } else {
            recorder.recordValue(latencyNs);
        }
    }

    /**
     * Records one latency of several messages, as that many calls of {@link #record(long)} would;
     * writer thread only.
     *
     * @param latencyNs in ns, as there
     * @param messages that had it
     */
    public void record(final long latencyNs, final int messages) {
        noteDelivery(latencyNs);
        if (latencyNs <= 0) {
            notPositive.add(messages);
        } else if (latencyNs > HIGHEST_NS) {
            outOfRange.add(messages);
        } else {
            recorder.recordValueWithCount(latencyNs, messages);
        }
    }

    private void noteDelivery(final long latencyNs) {
        final Deliveries after = deliveries;
        if (after != null) {
            after.arrived(latencyNs, step);
        }
    }

    /** Keeps when messages arrive after planned faults, from now on. */
    void watch(final Deliveries after) {
        deliveries = after;
    }

    /** What was kept of them; null where none are planned. */
    Deliveries deliveries() {
        return deliveries;
    }

    /** Sets the step in which it records. */
    void step(final int newStep) {
        step = newStep;
    }

    /**
     * What was recorded since the last drain, lent until {@link #recycle}; one thread at a time.
     */
    Histogram drain() {
        return recorder.getIntervalHistogram(spare.poll());
    }

    /** Takes back a lent histogram, so that a new interval allocates nothing; as {@link #drain}. */
    void recycle(final Histogram lent) {
        spare.push(lent);
    }

    /** A histogram with the range of every recorder. */
    static Histogram newHistogram() {
        return new Histogram(1, HIGHEST_NS, DIGITS);
    }

    /**
     * Latencies of zero or less so far.
     *
     * @return the count
     */
    public long notPositive() {
        return notPositive.get();
    }

    /**
     * Latencies above the range so far.
     *
     * @return the count
     */
    public long outOfRange() {
        return outOfRange.get();
    }
}
