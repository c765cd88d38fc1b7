package io.tickmark.workloads.messaging.stream;

import io.tickmark.kernel.record.LatencyLog;
import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.stamp.Stamp;
import org.agrona.DirectBuffer;

/**
 * Records response and service time of messages that came one way. One thread, allocates nothing.
 */
final class OneWayTimes {
    private final LatencyRecorder response;
    private final LatencyRecorder service;
    private final LatencyLog log;

    OneWayTimes(final RoleContext context, final boolean logLatencies) {
        response = context.recording().latency(Latencies.RESPONSE_NS);
        service = context.recording().latency(Latencies.SERVICE_NS);
        log =
                logLatencies
                        ? context.recording().latencyLog(Latencies.RESPONSE_NS)
                        : LatencyLog.off();
    }

    void record(final DirectBuffer buffer, final int offset, final int length, final long nowNs) {
        final long intendedNs = Stamp.intendedNs(buffer, offset);
        response.record(nowNs - intendedNs);
        if (length >= Stamp.FULL_LENGTH) {
            service.record(nowNs - Stamp.sentNs(buffer, offset));
        }
        log.log(intendedNs, nowNs, nowNs - intendedNs);
    }
}
