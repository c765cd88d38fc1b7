package io.tickmark.metrics;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.Data;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.GaugeData;
import io.opentelemetry.sdk.metrics.data.HistogramData;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.metrics.data.SumData;
import io.opentelemetry.sdk.resources.Resource;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.SystemEpochNanoClock;

/**
 * The same metrics in the model of OpenTelemetry. Their names are those of Prometheus without the
 * endings that its text format adds: {@code tickmark_messages}, not {@code _total}.
 */
final class OtlpMetrics {
    private final MultiCollector collector;
    private final EpochNanoClock clock = SystemEpochNanoClock.INSTANCE;

    /** Start of the run, and of every sum that is not reset later. */
    private final long startNs = clock.nanoTime();

    OtlpMetrics(final MultiCollector collector) {
        this.collector = collector;
    }

    /** The current metrics, without those that have no values. */
    List<MetricData> now() {
        final long nowNs = clock.nanoTime();
        return collector.collect().stream()
                .filter(metric -> !metric.getDataPoints().isEmpty())
                .flatMap(metric -> of(metric, nowNs))
                .toList();
    }

    private Stream<MetricData> of(final MetricSnapshot metric, final long nowNs) {
        return switch (metric) {
            case final CounterSnapshot counter -> Stream.of(sum(counter, nowNs));
            case final GaugeSnapshot gauge -> Stream.of(gauge(gauge, nowNs));
            case final HistogramSnapshot histogram -> Stream.of(histogram(histogram, nowNs));
            case final InfoSnapshot info -> Stream.of(info(info, nowNs));
            default -> Stream.empty();
        };
    }

    private MetricData sum(final CounterSnapshot counter, final long nowNs) {
        return new OtlpMetric(
                counter.getMetadata(),
                MetricDataType.DOUBLE_SUM,
                SumData.createDoubleSumData(
                        true,
                        AggregationTemporality.CUMULATIVE,
                        counter.getDataPoints().stream()
                                .map(point ->
                                        point(
                                                startNs(point),
                                                point.getLabels(),
                                                point.getValue(),
                                                nowNs))
                                .toList()));
    }

    /**
     * A cumulative value that falls needs a new start, or a collector takes what it fell to for an
     * increase since the old one (OpenTelemetry's data model, "Resets and gaps").
     */
    private long startNs(final DataPointSnapshot point) {
        return point.hasCreatedTimestamp()
                ? TimeUnit.MILLISECONDS.toNanos(point.getCreatedTimestampMillis())
                : startNs;
    }

    private MetricData gauge(final GaugeSnapshot gauge, final long nowNs) {
        return new OtlpMetric(
                gauge.getMetadata(),
                MetricDataType.DOUBLE_GAUGE,
                GaugeData.createDoubleGaugeData(
                        gauge.getDataPoints().stream()
                                .map(point ->
                                        point(startNs, point.getLabels(), point.getValue(), nowNs))
                                .toList()));
    }

    /** A value of 1 that has its say in labels. */
    private MetricData info(final InfoSnapshot info, final long nowNs) {
        return new OtlpMetric(
                info.getMetadata(),
                MetricDataType.DOUBLE_GAUGE,
                GaugeData.createDoubleGaugeData(
                        info.getDataPoints().stream()
                                .map(point -> point(startNs, point.getLabels(), 1, nowNs))
                                .toList()));
    }

    private static DoublePointData point(
            final long fromNs, final Labels labels, final double value, final long nowNs) {
        return DoublePointData.create(fromNs, nowNs, attributes(labels), value, List.of());
    }

    private MetricData histogram(final HistogramSnapshot histogram, final long nowNs) {
        final List<HistogramPointData> points = new ArrayList<>();
        for (final HistogramSnapshot.HistogramDataPointSnapshot point : histogram.getDataPoints()) {
            final List<Double> bounds = new ArrayList<>();
            final List<Long> counts = new ArrayList<>();
            point.getClassicBuckets()
                    .forEach(bucket -> {
                        bounds.add(bucket.getUpperBound());
                        counts.add(bucket.getCount());
                    });
            bounds.removeLast(); // infinity, which goes without saying there
            points.add(
                    HistogramPointData.create(
                            startNs(point),
                            nowNs,
                            attributes(point.getLabels()),
                            point.getSum(),
                            false,
                            0,
                            false,
                            0,
                            bounds,
                            counts));
        }
        return new OtlpMetric(
                histogram.getMetadata(),
                MetricDataType.HISTOGRAM,
                HistogramData.create(AggregationTemporality.CUMULATIVE, points));
    }

    private static Attributes attributes(final Labels labels) {
        final AttributesBuilder attributes = Attributes.builder();
        labels.stream().forEach(label -> attributes.put(label.getName(), label.getValue()));
        return attributes.build();
    }

    /** One metric with its values, as the exporter takes it. */
    private static final class OtlpMetric implements MetricData {
        private static final InstrumentationScopeInfo SCOPE =
                InstrumentationScopeInfo.create("io.tickmark");
        private static final Resource RESOURCE =
                Resource.getDefault()
                        .merge(
                                Resource.create(
                                        Attributes.of(
                                                AttributeKey.stringKey("service.name"),
                                                "tickmark")));

        private final MetricMetadata metadata;
        private final MetricDataType type;
        private final Data<?> data;

        OtlpMetric(final MetricMetadata metadata, final MetricDataType type, final Data<?> data) {
            this.metadata = metadata;
            this.type = type;
            this.data = data;
        }

        @Override
        public Resource getResource() {
            return RESOURCE;
        }

        @Override
        public InstrumentationScopeInfo getInstrumentationScopeInfo() {
            return SCOPE;
        }

        @Override
        public String getName() {
            return metadata.getName();
        }

        @Override
        public String getDescription() {
            return metadata.getHelp();
        }

        @Override
        public String getUnit() {
            // no "1", which is for ratios: a collector would append that word to the names of
            // gauges
            return metadata.getName().endsWith("_seconds") ? "s" : "";
        }

        @Override
        public MetricDataType getType() {
            return type;
        }

        @Override
        public Data<?> getData() {
            return data;
        }
    }
}
