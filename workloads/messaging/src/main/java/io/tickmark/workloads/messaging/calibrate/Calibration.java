package io.tickmark.workloads.messaging.calibrate;

import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.kernel.time.Schedules;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Topic;
import io.tickmark.transport.nulls.NullExchange;
import io.tickmark.transport.nulls.NullTransport;
import io.tickmark.workloads.messaging.IncomingStep;
import io.tickmark.workloads.messaging.stream.SingleThreadStream;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Runs a scenario through the sending loop and the receiving code of the stream test, both on one
 * thread, so that everything can run on a virtual clock.
 */
final class Calibration {
    static final int PAYLOAD_BYTES = 64;

    private final RoleContext context;
    private final NullTransport transport;
    private final LongConsumer whenIdle;
    private StallWatch watch = StallWatch.off();

    /**
     * A calibration.
     *
     * @param context whose clock is used
     * @param transport on the same clock
     * @param whenIdle called with the time at which the next work is due; moves a virtual clock
     *     there
     */
    Calibration(
            final RoleContext context, final NullTransport transport, final LongConsumer whenIdle) {
        this.context = context;
        this.transport = transport;
        this.whenIdle = whenIdle;
    }

    /**
     * Measurements of a scenario.
     *
     * @param counts by name
     * @param recorded latencies
     * @param sent messages
     * @param durationNs first to last send
     * @param achievedRatePerSecond of the sent messages
     */
    record Measured(
            Map<String, Long> counts,
            StepRecording recorded,
            long sent,
            long durationNs,
            double achievedRatePerSecond) {}

    /** Notes from now on what delays messages; {@code newWatch} has begun. */
    void watch(final StallWatch newWatch) {
        watch = newWatch;
    }

    Measured measure(final int step, final Scenario scenario) {
        try (NullExchange sending =
                        transport.exchange(
                                scenario.channel(), Topic.DEFAULT, ExchangeSide.BIND, 0);
                NullExchange receiving =
                        transport.exchange(
                                sending.channel(), Topic.DEFAULT, ExchangeSide.CONNECT, 1)) {
            context.recording().beginStep(step, scenario.name());
            final SingleThreadStream oneWay =
                    new SingleThreadStream(sending, receiving, context, PAYLOAD_BYTES);
            if (watch != StallWatch.off()) {
                oneWay.note(
                        watch, context.recording().stalls().messages(step, scenario.messages()));
            }
            final long startNs = context.clock().nanoTime();
            oneWay.start(
                    step,
                    Schedules.fixedRate(scenario.ratePerSecond()),
                    startNs,
                    scenario.messages());
            while (!context.isStopped()) {
                if (oneWay.doWork() == 0) {
                    final long releaseNs =
                            Math.min(sending.nextReleaseNs(), receiving.nextReleaseNs());
                    if (oneWay.isAllSent() && releaseNs == NullExchange.NEVER) {
                        break;
                    }
                    whenIdle.accept(Math.min(oneWay.nextSendNs(), releaseNs));
                }
            }
            final IncomingStep incoming = oneWay.incoming();
            return new Measured(
                    incoming.counts(),
                    context.recording().endStep(),
                    oneWay.sent(),
                    oneWay.lastSentNs() - startNs,
                    oneWay.achievedRatePerSecond());
        }
    }
}
