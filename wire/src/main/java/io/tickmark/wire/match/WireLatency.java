package io.tickmark.wire.match;

import io.tickmark.kernel.record.LatencyRecorder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Latencies of one kind on the wire: a histogram, beside which the shortest and the longest are
 * kept to the nanosecond, as a capture knows them. A recorder lets another thread read while one
 * writes, which costs two locked instructions a value; one thread does both here, so values are
 * gathered and given to the recorder before it is read. Single thread; allocates nothing.
 */
final class WireLatency {
    private final LatencyRecorder recorder;
    private final Histogram gathered =
            new Histogram(1, LatencyRecorder.HIGHEST_NS, LatencyRecorder.DIGITS);
    private long minNs;
    private long maxNs;

    WireLatency(final LatencyRecorder recorder) {
        this.recorder = recorder;
        begin();
    }

    /** A step begins. */
    void begin() {
        minNs = Long.MAX_VALUE;
        maxNs = Long.MIN_VALUE;
    }

    void record(final long latencyNs) {
        if (latencyNs > 0 && latencyNs <= LatencyRecorder.HIGHEST_NS) {
            gathered.recordValue(latencyNs);
            minNs = Math.min(minNs, latencyNs);
            maxNs = Math.max(maxNs, latencyNs);
        } else {
            recorder.record(latencyNs); // counted apart there
        }
    }

    /** Gives what was gathered to the recorder, which is about to be read. */
    void hand() {
        if (gathered.getTotalCount() > 0) {
            for (final HistogramIterationValue each : gathered.recordedValues()) {
                recorder.record(
                        each.getValueIteratedTo(),
                        Math.toIntExact(each.getCountAddedInThisIterationStep()));
            }
            gathered.reset();
        }
    }

    /** The histogram of the step with the exact ends. */
    Histogram exact(final Histogram recorded) {
        return new Exact(recorded, minNs, maxNs);
    }

    /** A histogram does not say its ends to more digits than it has; this one does. */
    private static final class Exact extends Histogram {
        private static final long serialVersionUID = 1L;

        private final long minNs;
        private final long maxNs;

        Exact(final Histogram recorded, final long minNs, final long maxNs) {
            super(recorded);
            this.minNs = minNs;
            this.maxNs = maxNs;
            add(recorded);
        }

        @Override
        public long getMinValue() {
            return minNs;
        }

        @Override
        public long getMaxValue() {
            return maxNs;
        }

        /** None is longer than the longest. */
        @Override
        public long getValueAtPercentile(final double percentile) {
            return Math.clamp(super.getValueAtPercentile(percentile), minNs, maxNs);
        }
    }
}
