package io.tickmark.workloads.messaging.latency;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.LatencyLog;
import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.role.RoleContext;

/**
 * One ping at a time: the next is sent when the echo of the last has come or is given up. There is
 * a round trip only, and a stall holds the pings back that it should have delayed.
 */
final class ClosedLoop {
    private final Pinger pinger;
    private final LatencyPubSettings settings;
    private final RoleContext context;
    private final LatencyRecorder roundTrip;
    private final LatencyLog log;
    private final Counter sentTotal;
    private final Counter echoedTotal;
    private long timedOut;

    ClosedLoop(final Pinger pinger, final LatencyPubSettings settings, final RoleContext context) {
        this.pinger = pinger;
        this.settings = settings;
        this.context = context;
        roundTrip = context.recording().latency(Latencies.ROUND_TRIP_NS);
        log =
                settings.logLatencies()
                        ? context.recording().latencyLog(Latencies.ROUND_TRIP_NS)
                        : LatencyLog.off();
        sentTotal = context.recording().counter(Counts.SENT);
        echoedTotal = context.recording().counter("echoed");
    }

    /** Pings all sizes in turn until then; what is recorded is forgotten when a step begins. */
    void warmUp(final long endNs) {
        pinger.beginWarmUp(this::onEcho);
        pinger.pingAllSizesUntil(endNs);
        echoedTotal.set(0);
    }

    /** Pings by count or duration; the time it took, in ns. */
    long run(final int step, final int payloadBytes) {
        final long sentBefore = sentTotal.get();
        pinger.begin(step, payloadBytes, 0, this::onEcho);
        final long startNs = context.clock().nanoTime();
        final long durationNs = settings.duration().toNanos();
        final long samples = durationNs > 0 ? Long.MAX_VALUE : settings.samples();
        final long timeoutNs = settings.pingTimeout().toNanos();
        for (long i = 0; i < samples && !context.isStopped(); i++) {
            if (!pinger.pingOnce(timeoutNs) && !context.isStopped()) {
                timedOut++;
            }
            sentTotal.set(sentBefore + pinger.sent());
            if (durationNs > 0 && context.clock().nanoTime() - startNs >= durationNs) {
                break;
            }
        }
        return context.clock().nanoTime() - startNs;
    }

    private void onEcho(final long nowNs, final long intendedNs, final int sequence) {
        // The ping of any other echo was given up and counted as timed out.
        if (sequence == (int) (pinger.sent() - 1)) {
            roundTrip.record(nowNs - pinger.sentNs());
            log.log(pinger.sentNs(), nowNs, nowNs - pinger.sentNs(), Pinger.TOPIC_ID, sequence);
            echoedTotal.increment();
        }
    }

    /** Pings that were given up. */
    long timedOut() {
        return timedOut;
    }
}
