package io.tickmark.bench.messaging;

import io.tickmark.bench.kernel.KernelBenchmark;
import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.record.RoleRecording;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.workloads.messaging.OutgoingBatch;
import io.tickmark.workloads.messaging.OutgoingMessage;
import io.tickmark.workloads.messaging.StepReceiver.IncomingStep;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.SystemNanoClock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What the stream test does for one message on each side, without an engine between them: the
 * sender stamps, numbers and sums it, the receiver checks, tracks and records it.
 */
public class StreamBenchmark extends KernelBenchmark {
    private static final int MESSAGES = 64;
    private static final int TRIAL_ID = 7;
    private static final int TOPIC = 1;
    private static final long LATENCY_NS = 10_000;

    /** Message length in bytes, stamp included. */
    @Param({"64", "700"})
    private int payloadBytes;

    /** Whether messages carry a checksum. */
    @Param({"true", "false"})
    private boolean verify;

    private OutgoingMessage single;
    private OutgoingBatch batch;
    private IncomingStep incoming;
    private RoleRecording recording;
    private LatencyRecorder response;
    private LatencyRecorder service;
    private int sequence;
    private long nowNs;

    /** For JMH. */
    public StreamBenchmark() {}

    /** Both sides of one step. */
    @Setup
    public void setUp() {
        single = new OutgoingMessage(payloadBytes, TRIAL_ID, verify);
        batch = single.batch(payloadBytes, MESSAGES);
        batch.begin(0, 0, TOPIC);
        incoming = new IncomingStep(0, 1, TRIAL_ID, verify);
        recording = RoleRecording.inMemory(SystemNanoClock.INSTANCE);
        response = recording.latency(Latencies.RESPONSE_NS);
        service = recording.latency(Latencies.SERVICE_NS);
        recording.beginStep(0, "");
    }

    /** Forgets what was recorded. */
    @TearDown
    public void tearDown() {
        recording.endStep();
        recording.close();
    }

    /**
     * One message at a time, as at a rate.
     *
     * @return the message
     */
    @Benchmark
    public DirectBuffer prepareOne() {
        nowNs += LATENCY_NS;
        single.prepare(single.buffer(), payloadBytes, nowNs, sequence++, 0, 0, TOPIC);
        single.stampSent(single.buffer(), payloadBytes, nowNs);
        return single.buffer();
    }

    /**
     * Many at a time, as fast as possible.
     *
     * @return the messages
     */
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public DirectBuffer prepareTogether() {
        nowNs += LATENCY_NS;
        batch.prepare(MESSAGES, nowNs, sequence);
        sequence += MESSAGES;
        return batch.buffer();
    }

    /**
     * Many at a time, and receiving each with its own time.
     *
     * @return messages that were new
     */
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public int receiveEach() {
        final DirectBuffer messages = prepareTogether();
        int taken = 0;
        for (int i = 0; i < MESSAGES; i++) {
            final int offset = batch.offsetOf(i);
            if (isNew(messages, offset)) {
                response.record(nowNs + LATENCY_NS - Stamp.intendedNs(messages, offset));
                service.record(nowNs + LATENCY_NS - Stamp.sentNs(messages, offset));
                taken++;
            }
        }
        return taken;
    }

    /**
     * Many at a time, and receiving them with one time.
     *
     * @return messages that were new
     */
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public int receiveTogether() {
        final DirectBuffer messages = prepareTogether();
        int taken = 0;
        for (int i = 0; i < MESSAGES; i++) {
            taken += isNew(messages, batch.offsetOf(i)) ? 1 : 0;
        }
        response.record(nowNs + LATENCY_NS - Stamp.intendedNs(messages, 0), taken);
        service.record(nowNs + LATENCY_NS - Stamp.sentNs(messages, 0), taken);
        return taken;
    }

    private boolean isNew(final DirectBuffer messages, final int offset) {
        final boolean isOwn =
                incoming.isNext(messages, offset, payloadBytes)
                        || Stamp.isStamped(messages, offset, payloadBytes)
                                && Stamp.flags(messages, offset) == 0
                                && incoming.isOwn(messages, offset, payloadBytes);
        return isOwn && incoming.onMessage(messages, offset, payloadBytes, nowNs);
    }
}
