package io.tickmark.workloads.feed.client;

import io.tickmark.kernel.host.HostId;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.record.Recording;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.stall.MessageLog;
import io.tickmark.workloads.feed.tick.Tick;
import org.agrona.DirectBuffer;

/** Totals of all clients of a thread. Single-threaded; allocates nothing. */
final class Tally {
    private final LatencyRecorder response;
    private final LatencyRecorder service;
    private final Counter received;
    private MessageLog messages = MessageLog.off();
    private boolean isOnServersClock;
    private long epochNs;
    private long fromNs = Long.MAX_VALUE;
    private long toNs = Long.MAX_VALUE;
    private long bytes;
    private long frames;

    Tally(final Recording recording) {
        response = recording.latency(Latencies.RESPONSE_NS);
        service = recording.latency(Latencies.SERVICE_NS);
        received = recording.counter(Counts.RECEIVED);
    }

    /** The epoch of the feed's times, on the server's clock. */
    void epoch(final long ns) {
        epochNs = ns;
    }

    /** The identity of the server's clock: {@link HostId#text} there. */
    void serversHost(final String id) {
        isOnServersClock = id.equals(HostId.text());
    }

    boolean isOnServersClock() {
        return isOnServersClock;
    }

    /**
     * Only messages that were due in this time are measured; where the server has another clock,
     * those that arrive in it. On our clock.
     */
    void measure(final long from, final long to) {
        fromNs = from - epochNs;
        toNs = to - epochNs;
    }

    /** The times of measured messages go here. */
    void keep(final MessageLog log) {
        messages = log;
    }

    void message(final DirectBuffer buffer, final int offset, final long nowNs) {
        final long receivedNs = nowNs - epochNs;
        final long intendedNs = isOnServersClock ? Tick.intendedNs(buffer, offset) : receivedNs;
        if (intendedNs < fromNs || intendedNs >= toNs) {
            return;
        }
        received.increment();
        if (isOnServersClock) {
            response.record(receivedNs - intendedNs);
            final long lagNs = Tick.lagNs(buffer, offset);
            service.record(receivedNs - intendedNs - lagNs);
            final long dueNs = epochNs + intendedNs;
            messages.add(dueNs, dueNs + lagNs, nowNs);
        }
    }

    void frame(final int frameBytes) {
        frames++;
        bytes += frameBytes;
    }

    long received() {
        return received.get();
    }

    long frames() {
        return frames;
    }

    long bytes() {
        return bytes;
    }
}
