package io.tickmark.workloads.market.measure;

import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.record.Recording;
import io.tickmark.kernel.result.Latencies;

/**
 * Times one kind of message on one connection: response time from the tick, service time from the
 * beginning of encoding. Single thread, allocates nothing.
 *
 * <p>The wire holds the time stamp in microseconds or nanoseconds of the sender's monotonic clock.
 * Which of them is seen from the number itself: the two are a factor of a thousand apart, and the
 * clock counts from the start of the machine.
 */
public final class LatencyMeter {
    private static final long US_NS = 1_000;

    /** A time stamp in ns is larger than this part of now, one in us is not. */
    private static final long PART_OF_NOW = 30;

    private final LatencyRecorder response;
    private final LatencyRecorder service;
    private final EachLatency each;
    private final LatencyKind kind;
    private final Timings interval = new Timings();
    private final Timings startup = new Timings();
    private final Timings steady = new Timings();
    private boolean isSteady;
    private long withIntended;

    /**
     * A meter.
     *
     * @param kind of message
     * @param thread number from 1; the first one records under the plain names
     * @param where put behind the names of latencies; empty at a consumer
     * @param recording of the role
     * @param each takes each latency for the file of this connection
     */
    public LatencyMeter(
            final LatencyKind kind,
            final int thread,
            final String where,
            final Recording recording,
            final EachLatency each) {
        this.kind = kind;
        this.each = each;
        final String suffix = thread == 1 ? "" : "-" + thread;
        response = recording.latency(name(kind, where, Latencies.RESPONSE_NS) + suffix);
        service = recording.latency(name(kind, where, Latencies.SERVICE_NS) + suffix);
    }

    private static String name(final LatencyKind kind, final String where, final String latency) {
        return kind.latency(latency).replaceFirst("(Response|Service)Ns$", where + "$1Ns");
    }

    /**
     * A message with a time stamp was received and decoded.
     *
     * @param stamp as it stands in the message
     * @param intendedNs when it was wanted, 0 where it does not say
     * @param nowNs current time
     */
    public void onStamped(final long stamp, final long intendedNs, final long nowNs) {
        final boolean isNano = stamp > nowNs / PART_OF_NOW;
        final long latencyNs = isNano ? nowNs - stamp : nowNs - stamp * US_NS;
        service.record(latencyNs);
        if (intendedNs != 0) {
            withIntended++;
            response.record(nowNs - intendedNs);
        }
        interval.add(latencyNs);
        (isSteady ? steady : startup).add(latencyNs);
        each.add(kind, nowNs - latencyNs, nowNs);
    }

    /** From now on it is steady state. */
    public void beginSteadyState() {
        isSteady = true;
    }

    /**
     * Latencies since the last call.
     *
     * @return a copy
     */
    public Timings takeInterval() {
        final Timings taken = interval.copy();
        interval.clear();
        return taken;
    }

    /**
     * Latencies of the startup state.
     *
     * @return a copy
     */
    public Timings startup() {
        return startup.copy();
    }

    /**
     * Latencies of the steady state.
     *
     * @return a copy
     */
    public Timings steady() {
        return steady.copy();
    }

    /**
     * How many messages also told when they were wanted.
     *
     * @return the count
     */
    public long withIntended() {
        return withIntended;
    }
}
