package io.tickmark.lab.protocol;

import static java.util.Objects.requireNonNull;

import io.tickmark.kernel.result.StepResult;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * A step's result as it is sent: histograms as compressed HdrHistogram V2 in Base64.
 *
 * @param step number
 * @param label of the step, may be empty
 * @param payloadBytes message length
 * @param counts by name
 * @param durationNs of the step
 * @param offeredRatePerSecond requested
 * @param achievedRatePerSecond sent
 * @param latencies by name, encoded
 * @param reasons sentences
 */
public record StepLine(
        int step,
        String label,
        int payloadBytes,
        Map<String, Long> counts,
        long durationNs,
        double offeredRatePerSecond,
        double achievedRatePerSecond,
        Map<String, String> latencies,
        List<String> reasons) {

    /** Checks that no value is missing. */
    public StepLine {
        requireNonNull(label);
        requireNonNull(counts);
        requireNonNull(latencies);
        requireNonNull(reasons);
    }

    /**
     * Encodes a result.
     *
     * @param result of a role
     * @return the same, to be sent
     */
    public static StepLine of(final StepResult result) {
        final Map<String, String> latencies = new LinkedHashMap<>();
        result.latencies().forEach((name, histogram) -> latencies.put(name, encode(histogram)));
        return new StepLine(
                result.step(),
                result.label(),
                result.payloadBytes(),
                result.counts(),
                result.durationNs(),
                finite(result.offeredRatePerSecond()),
                finite(result.achievedRatePerSecond()),
                latencies,
                result.reasons());
    }

    /** JSON has no literal for infinity, which a rate over no time would be. */
    private static double finite(final double rate) {
        return Double.isFinite(rate) ? rate : 0;
    }

    private static String encode(final Histogram histogram) {
        final ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        final int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(java.util.Arrays.copyOf(buffer.array(), length));
    }

    /**
     * Decodes the result.
     *
     * @return as the role created it
     * @throws ProtocolException if a histogram cannot be decoded, or a count has no value
     */
    public StepResult toResult() throws ProtocolException {
        if (counts.values().stream().anyMatch(Objects::isNull)) {
            throw new ProtocolException("a count has no value");
        }
        final Map<String, Histogram> histograms = new LinkedHashMap<>();
        for (final Map.Entry<String, String> latency : latencies.entrySet()) {
            histograms.put(latency.getKey(), decode(latency.getValue()));
        }
        return new StepResult(
                step,
                label,
                payloadBytes,
                counts,
                durationNs,
                offeredRatePerSecond,
                achievedRatePerSecond,
                histograms,
                reasons);
    }

    private static Histogram decode(final String text) throws ProtocolException {
        try {
            final ByteBuffer buffer = ByteBuffer.wrap(Base64.getDecoder().decode(text));
            return Histogram.decodeFromCompressedByteBuffer(buffer, 0);
        } catch (final DataFormatException | RuntimeException e) {
            throw new ProtocolException("a histogram cannot be decoded: " + e.getMessage());
        }
    }
}
