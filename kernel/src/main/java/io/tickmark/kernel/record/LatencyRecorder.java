package io.tickmark.kernel.record;

import io.tickmark.kernel.result.Counts;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.HdrHistogram.Histogram;

/**
 * Records latencies of one kind with full histograms per interval; one writer thread, drained by
 * the reporter's thread. The hot path allocates nothing and takes no lock. Values out of range are
 * counted, never dropped silently.
 *
 * <p>The writer only ever adds to the counts of buckets, which are those of an HdrHistogram of the
 * same range and digits; the reporter takes what has been added since it last looked. So neither
 * waits for the other, and a latency costs no atomic instruction, of which HdrHistogram's own
 * recorders need two.
 */
public final class LatencyRecorder {
    /** Largest latency recorded: one hour. */
    public static final long HIGHEST_NS = 3_600_000_000_000L;

    /** Decimal digits kept. */
    public static final int DIGITS = 3;

    /** A range from one power of two to the next has 1,024 buckets, which is three digits. */
    private static final int BUCKET_BITS = 10;

    /** Values below this have a bucket each. */
    private static final int EXACT = 2 << BUCKET_BITS;

    private static final int BUCKETS = bucket(HIGHEST_NS) + 1;
    private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class);

    private final String name;

    /** By bucket, since the beginning; written by the writer thread alone. */
    private final long[] counts = new long[BUCKETS];

    /** What of them has been drained. */
    private final long[] drained = new long[BUCKETS];

    /** A copy that does not change while it is looked through. */
    private final long[] seen = new long[BUCKETS];

    private final Counter notPositive = new Counter(Counts.NOT_POSITIVE);
    private final Counter outOfRange = new Counter(Counts.OUT_OF_RANGE);
    private final Deque<Histogram> spare = new ArrayDeque<>();

    /** Null where no faults are planned, which costs one check. */
    private volatile Deliveries deliveries;

    private volatile int step = LatencyLog.NO_STEP;

    private int streams = 1;

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
     * Sets how many streams of messages there are, as each must recover from a fault; one, unless
     * it is called. To be called before a message of any other is recorded, by the writer thread or
     * before that begins.
     *
     * @param newStreams topics, sessions or sources
     * @return this
     */
    public LatencyRecorder ofStreams(final int newStreams) {
        streams = newStreams;
        final Deliveries after = deliveries;
        if (after != null) {
            after.ofStreams(newStreams);
        }
        return this;
    }

    /**
     * Whether it is kept when messages arrive after planned faults; otherwise it does not matter to
     * which stream a message belongs.
     *
     * @return true where faults are planned
     */
    public boolean keepsDeliveries() {
        return deliveries != null;
    }

    /**
     * Records the latency of a message that has just arrived, and where faults are planned, that it
     * has; writer thread only, in the order of arrival.
     *
     * @param dueNs when it was intended, on the clock of the recording
     * @param arrivedNs when it arrived, on the same
     * @param stream that it belongs to, from 0
     */
    public void recordDelivery(final long dueNs, final long arrivedNs, final int stream) {
        note(dueNs, arrivedNs, stream);
        record(arrivedNs - dueNs);
    }

    /**
     * Records several messages, as that many calls of {@link #recordDelivery(long, long, int)}
     * would; writer thread only.
     *
     * @param dueNs when all of them were intended
     * @param arrivedNs when they arrived
     * @param stream that they belong to, from 0
     * @param messages how many
     */
    public void recordDelivery(
            final long dueNs, final long arrivedNs, final int stream, final int messages) {
        note(dueNs, arrivedNs, stream);
        record(arrivedNs - dueNs, messages);
    }

    /**
     * Notes that a stream has ended and that all of it has arrived: no message of it is missed
     * after a planned fault. Where its next message arrives, it has begun anew. Writer thread only.
     *
     * @param stream from 0
     */
    public void ended(final int stream) {
        final Deliveries after = deliveries;
        if (after != null) {
            after.ended(stream);
        }
    }

    private void note(final long dueNs, final long arrivedNs, final int stream) {
        final Deliveries after = deliveries;
        if (after != null) {
            after.arrived(dueNs, arrivedNs, stream, step);
        }
    }

    /**
     * Records one latency, of something that is no message or arrived some time ago; writer thread
     * only.
     *
     * @param latencyNs in ns; zero or less and above {@link #HIGHEST_NS} is counted separately
     */
    public void record(final long latencyNs) {
        if (latencyNs <= 0) {
            notPositive.increment();
        } else if (latencyNs > HIGHEST_NS) {
            outOfRange.increment();
        } else {
            add(bucket(latencyNs), 1);
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
        if (latencyNs <= 0) {
            notPositive.add(messages);
        } else if (latencyNs > HIGHEST_NS) {
            outOfRange.add(messages);
        } else {
            add(bucket(latencyNs), messages);
        }
    }

    private void add(final int bucket, final long messages) {
        COUNT.setOpaque(counts, bucket, counts[bucket] + messages);
    }

    /**
     * The place of a value among the counts, as HdrHistogram's {@code AbstractHistogram} has it.
     */
    private static int bucket(final long value) {
        final int shift =
                Long.SIZE - 1 - BUCKET_BITS - Long.numberOfLeadingZeros(value | EXACT - 1);
        return (shift << BUCKET_BITS) + (int) (value >>> shift);
    }

    /** The lowest value of a bucket. */
    private static long lowest(final int bucket) {
        final int shift = Math.max(0, (bucket >> BUCKET_BITS) - 1);
        return (long) (bucket - (shift << BUCKET_BITS)) << shift;
    }

    /** Keeps when messages arrive after faults that are planned for these times, from now on. */
    void watch(final long[] plannedNs) {
        deliveries = new Deliveries(plannedNs, streams);
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
        final Histogram given = spare.poll();
        final Histogram interval = given == null ? newHistogram() : given;
        interval.reset();
        // A count that the writer raises meanwhile is copied as before or after: no word is torn.
        System.arraycopy(counts, 0, seen, 0, BUCKETS);
        for (int bucket = changed(0); bucket < BUCKETS; bucket = changed(bucket + 1)) {
            interval.recordValueWithCount(lowest(bucket), seen[bucket] - drained[bucket]);
        }
        System.arraycopy(seen, 0, drained, 0, BUCKETS);
        return interval;
    }

    /**
     * The first bucket from this one on with something to drain, found by the JVM many at a time.
     */
    private int changed(final int from) {
        final int ahead = Arrays.mismatch(seen, from, BUCKETS, drained, from, BUCKETS);
        return ahead < 0 ? BUCKETS : from + ahead;
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
