package io.tickmark.workloads.feed.client;

import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.workloads.feed.tick.Tick;
import org.agrona.DirectBuffer;

/** What all clients of a thread receive together. One thread; allocates nothing. */
final class Tally {
    private final LatencyRecorder response;
    private final LatencyRecorder service;
    private long epochNs;
    private long fromNs = Long.MAX_VALUE;
    private long toNs = Long.MAX_VALUE;
    private long received;
    private long bytes;
    private long frames;

    Tally(final LatencyRecorder response, final LatencyRecorder service) {
        this.response = response;
        this.service = service;
    }

    void epoch(final long ns) {
        epochNs = ns;
    }

    /** Only messages that were wanted in this time are measured; on the clock. */
    void measure(final long from, final long to) {
        fromNs = from - epochNs;
        toNs = to - epochNs;
    }

    void message(final DirectBuffer buffer, final int offset, final long nowNs) {
        final long intendedNs = Tick.intendedNs(buffer, offset);
        if (intendedNs >= fromNs && intendedNs < toNs) {
            final long receivedNs = nowNs - epochNs;
            response.record(receivedNs - intendedNs);
            service.record(receivedNs - intendedNs - Tick.lagNs(buffer, offset));
            received++;
        }
    }

    void frame(final int frameBytes) {
        frames++;
        bytes += frameBytes;
    }

    long received() {
        return received;
    }

    long frames() {
        return frames;
    }

    long bytes() {
        return bytes;
    }
}
