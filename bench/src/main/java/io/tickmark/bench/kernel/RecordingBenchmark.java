package io.tickmark.bench.kernel;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.record.RoleRecording;
import io.tickmark.kernel.record.SequenceTracker;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import java.util.SplittableRandom;
import org.agrona.concurrent.SystemNanoClock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** Recording one message: latency, sequence and counter; clock reads apart. */
public class RecordingBenchmark extends KernelBenchmark {
    private static final int LATENCIES = 1 << 12;
    private static final double MEDIAN_NS = 10_000;

    private final long[] latenciesNs = new long[LATENCIES];
    private RoleRecording recording;
    private LatencyRecorder latency;
    private SequenceTracker sequences;
    private Counter received;
    private int sequence;

    /** For JMH. */
    public RecordingBenchmark() {}

    /** Log-normal latencies around 10 us, as loopback gives them, with the reporter running. */
    @Setup
    public void setUp() {
        final SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < LATENCIES; i++) {
            latenciesNs[i] = (long) (MEDIAN_NS * Math.exp(random.nextGaussian()));
        }
        recording = RoleRecording.inMemory(SystemNanoClock.INSTANCE);
        latency = recording.latency(Latencies.ROUND_TRIP_NS);
        received = recording.counter(Counts.RECEIVED);
        sequences = new SequenceTracker();
        recording.beginStep(0, "");
        recording.start();
    }

    /** Ends the reporter. */
    @TearDown
    public void tearDown() {
        recording.endStep();
        recording.close();
    }

    /**
     * All that is done for a message that was received.
     *
     * @return whether it was new
     */
    @Benchmark
    public boolean recordMessage() {
        final int current = sequence++;
        latency.record(latenciesNs[current & LATENCIES - 1]);
        received.increment();
        return sequences.onMessage(current);
    }

    /** The histogram alone. */
    @Benchmark
    public void recordLatency() {
        latency.record(latenciesNs[sequence++ & LATENCIES - 1]);
    }

    /**
     * The sequence alone.
     *
     * @return whether it was new
     */
    @Benchmark
    public boolean trackSequence() {
        return sequences.onMessage(sequence++);
    }
}
