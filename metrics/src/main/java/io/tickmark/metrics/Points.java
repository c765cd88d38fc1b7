package io.tickmark.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;

/** Values with their labels. */
final class Points {
    private Points() {}

    static CounterDataPointSnapshot count(final Labels labels, final double value) {
        return CounterDataPointSnapshot.builder().labels(labels).value(value).build();
    }

    /** A count that began at a time of its own and not with the run: ms since 1970. */
    static CounterDataPointSnapshot count(
            final Labels labels, final double value, final long startedMs) {
        return CounterDataPointSnapshot.builder()
                .labels(labels)
                .value(value)
                .createdTimestampMillis(startedMs)
                .build();
    }

    static GaugeDataPointSnapshot now(final Labels labels, final double value) {
        return GaugeDataPointSnapshot.builder().labels(labels).value(value).build();
    }
}
