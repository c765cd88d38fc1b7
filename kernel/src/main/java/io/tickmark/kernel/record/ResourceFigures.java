package io.tickmark.kernel.record;

import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.Map;

/** Adds up resource samples to the figures of a role's metrics; one thread at a time. */
final class ResourceFigures {
    private final DoubleSummaryStatistics cpuPercent = new DoubleSummaryStatistics();
    private final DoubleSummaryStatistics residentBytes = new DoubleSummaryStatistics();

    void add(final ResourceSample sample) {
        if (!Double.isNaN(sample.cpuPercent())) {
            cpuPercent.accept(sample.cpuPercent());
        }
        if (sample.residentBytes() >= 0) {
            residentBytes.accept(sample.residentBytes());
        }
    }

    /** Empty when nothing is known. */
    Map<String, Object> metrics() {
        final Map<String, Object> metrics = new LinkedHashMap<>();
        if (cpuPercent.getCount() > 0) {
            metrics.put("cpuPercentMin", cpuPercent.getMin());
            metrics.put("cpuPercentMean", cpuPercent.getAverage());
            metrics.put("cpuPercentMax", cpuPercent.getMax());
        }
        if (residentBytes.getCount() > 0) {
            metrics.put("residentBytesMin", (long) residentBytes.getMin());
            metrics.put("residentBytesMean", (long) residentBytes.getAverage());
            metrics.put("residentBytesMax", (long) residentBytes.getMax());
        }
        return metrics;
    }
}
