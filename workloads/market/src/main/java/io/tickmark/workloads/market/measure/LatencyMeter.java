package io.tickmark.workloads.market.measure;

import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.kernel.loop.Timings;
import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.record.Recording;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.stall.MessageLog;

/**
 * Times one kind of message on one connection: response time from the tick, service time from the
 * beginning of encoding. Single-threaded, allocates nothing.
 *
 * <p>The wire holds the time stamp in microseconds or nanoseconds of the sender's monotonic clock.
 * Which of them it is can be recognised from the number itself: the two are a factor of a thousand
 * apart, and the clock counts from the start of the machine.
 */
public final class LatencyMeter {
    /** Takes each latency of a connection; called on its hot thread. */
    @FunctionalInterface
    public interface LatencyListener {
        /** Takes nothing. */
        LatencyListener NONE = (kind, sentNs, receivedNs) -> {};

        /**
         * Takes a latency; must not wait and not allocate.
         *
         * @param kind of message
         * @param sentNs when its encoding began
         * @param receivedNs when it was decoded
         */
        void add(LatencyKind kind, long sentNs, long receivedNs);
    }

    private static final long US_NS = 1_000;

    /** A time stamp in ns is larger than this part of now, one in us is not. */
    private static final long PART_OF_NOW = 30;

    private final LatencyRecorder response;
    private final LatencyRecorder service;
    private final LatencyListener each;
    private final LatencyKind kind;
    private final Timings timings;
    private MessageLog messages = MessageLog.off();
    private long withIntended;

    /**
     * A meter.
     *
     * @param kind of message
     * @param thread number from 1; the first one records under the plain names
     * @param where appended to the names of latencies; empty at a consumer
     * @param recording of the role
     * @param timings of the loop, for its statistics
     * @param each takes each latency for the file of this connection
     */
    public LatencyMeter(
            final LatencyKind kind,
            final int thread,
            final String where,
            final Recording recording,
            final Timings timings,
            final LatencyListener each) {
        this.kind = kind;
        this.timings = timings;
        this.each = each;
        final String suffix = LoopCounts.suffix(thread);
        response = recording.latency(name(kind, where, Latencies.RESPONSE_NS) + suffix);
        service = recording.latency(name(kind, where, Latencies.SERVICE_NS) + suffix);
    }

    private static String name(final LatencyKind kind, final String where, final String latency) {
        return kind.latency(latency).replaceFirst("(Response|Service)Ns$", where + "$1Ns");
    }

    /**
     * Keeps the times of messages from now on.
     *
     * @param log for them
     */
    public void keep(final MessageLog log) {
        messages = log;
    }

    /**
     * A message with a time stamp was received and decoded.
     *
     * @param stamp as it is in the message
     * @param intendedNs when it was due, 0 where it does not say
     * @param nowNs current time
     */
    public void onStamped(final long stamp, final long intendedNs, final long nowNs) {
        final boolean isNano = stamp > nowNs / PART_OF_NOW;
        final long latencyNs = isNano ? nowNs - stamp : nowNs - stamp * US_NS;
        service.recordDelivery(nowNs - latencyNs, nowNs, 0);
        if (intendedNs != 0) {
            withIntended++;
            response.recordDelivery(intendedNs, nowNs, 0);
        }
        messages.add(intendedNs == 0 ? nowNs - latencyNs : intendedNs, nowNs - latencyNs, nowNs);
        timings.add(latencyNs);
        each.add(kind, nowNs - latencyNs, nowNs);
    }

    /**
     * How many messages also contained their due time.
     *
     * @return the count
     */
    public long withIntended() {
        return withIntended;
    }
}
