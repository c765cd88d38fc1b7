package io.tickmark.workloads.feed.client;

import io.tickmark.kernel.host.HostId;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.record.Recording;
import io.tickmark.kernel.record.RoleRecording;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.stall.MessageLog;
import io.tickmark.workloads.feed.tick.Tick;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Totals of all clients of a thread. Single-threaded; allocates nothing. What is not measured is
 * recorded as well, where nobody reads it, so that the code is warm when the measurement begins.
 */
final class Tally {
    private final Totals measured;
    private final Totals others = new Totals(RoleRecording.inMemory(SystemNanoClock.INSTANCE));
    private final Totals[] byTime;
    private final ClientCounts counts = ClientCounts.COLUMNS.zero();
    private final Counter fromArrival = counts.fromArrival();
    private final Counter lagTooLong = counts.lagTooLong();
    private final Counter frames = counts.frames();
    private final Counter bytes = counts.bytes();
    private boolean isOnServersClock;
    private long epochNs;
    private long fromNs = Long.MAX_VALUE;
    private long toNs = Long.MAX_VALUE;
    private int clients;

    Tally(final Recording recording) {
        measured = new Totals(recording);
        byTime = new Totals[] {measured, others};
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

    /** Whether a time on our clock belongs to the measured time. */
    boolean isMeasured(final long nowNs) {
        return timeOf(nowNs - epochNs) == 0;
    }

    /** Whether it is later. */
    boolean isAfterMeasured(final long nowNs) {
        return nowNs - epochNs >= toNs;
    }

    /** The times of measured messages go here. */
    void keep(final MessageLog log) {
        measured.messages = log;
        others.messages = log.unread();
    }

    /** The number of a new client, from 0; none is added once messages are measured. */
    int newClient() {
        measured.ofClients(clients + 1);
        others.ofClients(clients + 1);
        return clients++;
    }

    /** A message of one of the clients. */
    void message(final int client, final DirectBuffer buffer, final int offset, final long nowNs) {
        final long receivedNs = nowNs - epochNs;
        final long intendedNs = isOnServersClock ? Tick.intendedNs(buffer, offset) : receivedNs;
        final Totals totals = byTime[timeOf(intendedNs)];
        totals.received.increment();
        if (isOnServersClock) {
            final long dueNs = epochNs + intendedNs;
            long lagNs = Tick.lagNs(buffer, offset);
            if (lagNs == Tick.NO_LAG) { // it was due earlier than it came to the server
                fromArrival.add(totals == measured ? 1 : 0);
                lagNs = 0;
            } else {
                totals.response.recordDelivery(dueNs, nowNs, client);
            }
            if (lagNs == Tick.LONG_LAG) {
                lagTooLong.add(totals == measured ? 1 : 0);
                lagNs = Tick.MAX_LAG_NS; // it was sent later still
            } else {
                totals.service.recordDelivery(dueNs + lagNs, nowNs, client);
            }
            totals.messages.add(dueNs, dueNs + lagNs, nowNs);
        }
    }

    /**
     * 0 within the measured time, 1 before and after it: without a branch, which would be left out
     * of the code that is compiled before the measurement begins.
     */
    private int timeOf(final long dueNs) {
        return (int) ((dueNs - fromNs | toNs - 1 - dueNs) >>> Long.SIZE - 1);
    }

    /** What all clients count together; what each session counts is not in it. */
    ClientCounts counts() {
        return counts;
    }

    void frame(final int frameBytes) {
        frames.increment();
        bytes.add(frameBytes);
    }

    long received() {
        return measured.received.get();
    }

    /** Where messages go. */
    private static final class Totals {
        private final LatencyRecorder response;
        private final LatencyRecorder service;
        private final Counter received;
        private MessageLog messages = MessageLog.off();

        Totals(final Recording recording) {
            response = recording.latency(Latencies.RESPONSE_NS);
            service = recording.latency(Latencies.SERVICE_NS);
            received = recording.counter(Counts.RECEIVED);
        }

        void ofClients(final int count) {
            response.ofStreams(count);
            service.ofStreams(count);
        }
    }
}
