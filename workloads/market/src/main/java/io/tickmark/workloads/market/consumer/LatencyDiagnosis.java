package io.tickmark.workloads.market.consumer;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Says what high latencies come from, as far as the consumer's own figures tell. */
final class LatencyDiagnosis {
    /** Below it nobody asks. */
    private static final double HIGH_US = 10_000;

    private static final double MUCH_HIGHER = 5;

    private LatencyDiagnosis() {}

    /**
     * Means in us; 0 for what was not measured.
     *
     * @param startupUs service time in the startup state
     * @param serviceUs service time in the steady state
     * @param responseUs response time in the steady state
     */
    static List<String> of(
            final double startupUs, final double serviceUs, final double responseUs) {
        final List<String> sentences = new ArrayList<>();
        if (serviceUs > 0 && startupUs > HIGH_US && startupUs > MUCH_HIGHER * serviceUs) {
            sentences.add(
                    ("Latencies were high at first (mean %s ms at startup, %s ms after): images and "
                                    + "updates share the way then; --delay-steady-state-calc leaves time to "
                                    + "settle, more --output-buffers at the provider may help.")
                            .formatted(ms(startupUs), ms(serviceUs)));
        }
        final double waitedUs = responseUs - serviceUs;
        if (responseUs > HIGH_US && waitedUs > responseUs / 2) {
            sentences.add(
                    ("Latencies are high throughout, and %s of %s ms pass before the provider encodes: "
                                    + "the provider is the saturated side, or has no output buffer because "
                                    + "nobody reads fast enough (its backPressured count tells).")
                            .formatted(ms(waitedUs), ms(responseUs)));
        } else if (Math.max(responseUs, serviceUs) > HIGH_US) {
            sentences.add(
                    ("Latencies are high throughout, and %s ms pass between encoding and decoding: the "
                                    + "connection or the consumer is the saturated side; lower the update rate, "
                                    + "give the consumer a core of its own, or use packing.")
                            .formatted(ms(serviceUs)));
        }
        return sentences;
    }

    private static String ms(final double us) {
        return String.format(Locale.ROOT, "%.1f", us / 1e3);
    }
}
