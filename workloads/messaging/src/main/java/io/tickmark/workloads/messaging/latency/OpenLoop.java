package io.tickmark.workloads.messaging.latency;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.LatencyLog;
import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.time.Pacer;

/**
 * Pings at their scheduled times, whatever became of earlier ones: response time counts from the
 * intended time, service time from the actual send. Send times are kept in a ring by sequence,
 * because short messages cannot carry them.
 */
final class OpenLoop {
    private static final int MIN_RING = 1 << 10;
    private static final int MAX_RING = 1 << 22;

    /** A foreign echo may lose warm-up pings; nobody waits long for those. */
    private static final long WARM_UP_WAIT_NS = 20_000_000;

    private final Pinger pinger;
    private final LatencyPubSettings settings;
    private final RoleContext context;
    private final Pacer pacer;
    private final LatencyRecorder response;
    private final LatencyRecorder service;
    private final LatencyLog log;
    private final Counter sentTotal;
    private final Counter lag;
    private final Counter echoedTotal;
    private final long[] sentNsBySequence;
    private double achievedRatePerSecond;
    private long lastSentNs;

    OpenLoop(final Pinger pinger, final LatencyPubSettings settings, final RoleContext context) {
        this.pinger = pinger;
        this.settings = settings;
        this.context = context;
        pacer = new Pacer(settings.pace().schedule());
        response = context.recording().latency(Latencies.RESPONSE_NS);
        service = context.recording().latency(Latencies.SERVICE_NS);
        log =
                settings.logLatencies()
                        ? context.recording().latencyLog(Latencies.RESPONSE_NS)
                        : LatencyLog.off();
        sentTotal = context.recording().counter(Counts.SENT);
        lag = context.recording().gauge(Counts.LAG_NS);
        echoedTotal = context.recording().counter("echoed");
        final double inFlight =
                settings.pace().meanRatePerSecond() * settings.pingTimeout().toNanos() / 1e9;
        sentNsBySequence = new long[ringSize(2 * inFlight)];
    }

    private static int ringSize(final double wanted) {
        final int bounded = (int) Math.min(MAX_RING, Math.max(MIN_RING, wanted));
        return Integer.highestOneBit(bounded - 1) << 1;
    }

    /**
     * Warms up until then; what is recorded is forgotten when a step begins. Half of the time pings
     * follow each other, because a low rate would send too few to have the code compiled; then they
     * are sent as they will be.
     */
    void warmUp(final long endNs) {
        final long beginNs = context.clock().nanoTime();
        final long halfNs = Math.max(0, (endNs - beginNs) / 2);
        pinger.beginWarmUp((nowNs, intendedNs, sequence) -> response.record(nowNs - intendedNs));
        pinger.pingAllSizesUntil(beginNs + halfNs);
        pinger.listener(this::onEcho);
        final long eachNs = halfNs / settings.sweep().size();
        for (final int size : settings.sweep()) {
            final long startNs = context.clock().nanoTime();
            pinger.resize(size);
            pace(startNs, Long.MAX_VALUE, eachNs, eachNs, 0);
            awaitOutstanding(Math.min(WARM_UP_WAIT_NS, settings.pingTimeout().toNanos()));
        }
        echoedTotal.set(0);
        sentTotal.set(0);
    }

    /**
     * Pings by count or duration; the time from the first intended send to the last actual one, in
     * ns.
     */
    long run(final int step, final int payloadBytes) {
        final long sentBefore = sentTotal.get();
        pinger.begin(step, payloadBytes, 0, this::onEcho);
        final long startNs = context.clock().nanoTime();
        pace(
                startNs,
                settings.openLoopSamples(),
                settings.openLoopNs(),
                settings.longestOpenLoopNs(),
                sentBefore);
        final long endNs = context.clock().nanoTime();
        achievedRatePerSecond = pacer.achievedRatePerSecond(endNs);
        awaitOutstanding(settings.pingTimeout().toNanos());
        return (pinger.sent() > 0 ? lastSentNs : endNs) - startNs;
    }

    /** Sends what is wanted within the time, so many at most; for so long at the longest. */
    private void pace(
            final long startNs,
            final long samples,
            final long wantedForNs,
            final long longestNs,
            final long sentBefore) {
        pacer.start(startNs);
        long preparedFor = -1;
        while (pinger.sent() < samples
                && pacer.intendedNs() - startNs < wantedForNs
                && !context.isStopped()) {
            if (preparedFor != pinger.sent()) {
                // Ahead of its time, so that checksumming delays no send.
                preparedFor = pinger.sent();
                pinger.prepare(pacer.intendedNs());
            }
            final long nowNs = context.clock().nanoTime();
            if (pacer.isDue(nowNs)) {
                send(nowNs, sentBefore);
            } else if (pinger.poll() == 0) {
                pinger.idle(pacer.intendedNs() - nowNs);
            }
            if (nowNs - startNs > longestNs) {
                break;
            }
        }
    }

    private void send(final long nowNs, final long sentBefore) {
        final int slot = (int) (pinger.sent() & sentNsBySequence.length - 1);
        // Before the offer: on one thread an in-process echo may come while offering.
        sentNsBySequence[slot] = nowNs;
        lag.set(nowNs - pacer.intendedNs());
        if (pinger.offer()) {
            lastSentNs = pinger.sentNs();
            sentNsBySequence[slot] = lastSentNs;
            pacer.sent(nowNs);
            sentTotal.set(sentBefore + pinger.sent());
        }
        pinger.poll();
    }

    private void awaitOutstanding(final long timeoutNs) {
        final long endNs = context.clock().nanoTime() + timeoutNs;
        while (!pinger.isAllAnswered()
                && context.clock().nanoTime() - endNs < 0
                && !context.isStopped()) {
            if (pinger.poll() == 0) {
                pinger.idle();
            }
        }
    }

    private void onEcho(final long nowNs, final long intendedNs, final int sequence) {
        response.record(nowNs - intendedNs);
        final int behind = (int) pinger.sent() - sequence;
        if (behind >= 0 && behind < sentNsBySequence.length) {
            final long sentNs = sentNsBySequence[sequence & sentNsBySequence.length - 1];
            service.record(nowNs - sentNs);
            log.log(sentNs, nowNs, nowNs - intendedNs, Pinger.TOPIC_ID, sequence);
        } else {
            log.log(intendedNs, nowNs, nowNs - intendedNs, Pinger.TOPIC_ID, sequence);
        }
        echoedTotal.increment();
    }

    /** What was sent of the rate asked for. */
    double achievedRatePerSecond() {
        return achievedRatePerSecond;
    }

    /** What the pacer saw. */
    Pacer pacer() {
        return pacer;
    }

    /** Pings whose echo did not come within the time from when they were wanted. */
    long timedOut() {
        return pinger.timedOut();
    }
}
