package io.tickmark.bench.kernel;

import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.record.RoleRecording;
import io.tickmark.kernel.result.Latencies;
import java.util.SplittableRandom;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Records many latencies as a role does, the reporter beside it, and prints one line of figures:
 * what each took, and the summary at the end.
 */
public final class RecordedValues {
    private static final int LATENCIES = 1 << 12;
    private static final double MEDIAN_NS = 10_000;
    private static final int WARM_UP = 20_000_000;

    private RecordedValues() {}

    /**
     * Records.
     *
     * @param args how many values
     */
    public static void main(final String... args) {
        final long values = Long.parseLong(args[0]);
        final NanoClock clock = SystemNanoClock.INSTANCE;
        final long[] latenciesNs = new long[LATENCIES];
        final SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < LATENCIES; i++) {
            latenciesNs[i] = (long) (MEDIAN_NS * Math.exp(random.nextGaussian()));
        }
        try (RoleRecording recording = RoleRecording.inMemory(clock)) {
            final LatencyRecorder latency = recording.latency(Latencies.ROUND_TRIP_NS);
            recording.start();
            recording.beginStep(0, "");
            record(latency, latenciesNs, WARM_UP);
            recording.endStep();
            recording.beginStep(1, "");
            final long startNs = clock.nanoTime();
            record(latency, latenciesNs, values);
            final long recordedNs = clock.nanoTime();
            final long counted =
                    recording.endStep().latencies().get(Latencies.ROUND_TRIP_NS).getTotalCount();
            System.out.printf(
                    "tool=recorded_values values=%d ns=%.3f summary_ns=%d%n",
                    counted,
                    (recordedNs - startNs) / (double) values,
                    clock.nanoTime() - recordedNs);
        }
    }

    private static void record(
            final LatencyRecorder latency, final long[] latenciesNs, final long values) {
        for (long i = 0; i < values; i++) {
            latency.record(latenciesNs[(int) i & LATENCIES - 1]);
        }
    }
}
