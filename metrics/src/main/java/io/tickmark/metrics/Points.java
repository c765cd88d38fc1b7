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

    static GaugeDataPointSnapshot now(final Labels labels, final double value) {
        return GaugeDataPointSnapshot.builder().labels(labels).value(value).build();
    }
}
