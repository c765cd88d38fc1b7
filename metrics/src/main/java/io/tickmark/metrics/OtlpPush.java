package io.tickmark.metrics;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.sdk.common.CompletableResultCode;
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
import io.tickmark.kernel.settings.UserError;
import java.net.ConnectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.SystemEpochNanoClock;

/**
 * Sends metrics to a collector of OpenTelemetry, by OTLP over HTTP, once a second on a separate
 * thread. A collector that does not accept them is reported once, and retried.
 */
public final class OtlpPush implements AutoCloseable {
    private static final String PATH = "/v1/metrics";
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final OtlpHttpMetricExporter exporter;
    private final OtlpMetrics metrics;
    private final Duration patience;
    private final String url;
    private final Consumer<String> trouble;
    private final ScheduledExecutorService sender =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("otlp").factory());
    private boolean hasWarned;
    private int tried;
    private int failed;
    private volatile boolean isLastTaken;

    /**
     * Starts.
     *
     * @param url of the collector; where it has no path, that of the specification is added
     * @param collector of the metrics
     * @param trouble told in a sentence, at the first failure (on another thread), and at the end
     *     how many there were
     * @throws UserError if it is no address
     */
    public OtlpPush(
            final String url, final MultiCollector collector, final Consumer<String> trouble) {
        this(url, collector, trouble, PATIENCE);
    }

    /** One that waits so long for the collector to take what is sent. */
    OtlpPush(
            final String url,
            final MultiCollector collector,
            final Consumer<String> trouble,
            final Duration patience) {
        this.patience = patience;
        this.url = checked(url);
        this.trouble = trouble;
        metrics = new OtlpMetrics(collector);
        exporter =
                OtlpHttpMetricExporter.builder()
                        .setEndpoint(this.url)
                        .setTimeout(patience)
                        .setConnectTimeout(patience)
                        .setRetryPolicy(null) // the next second is a new try, with all in it
                        .build();
        sender.scheduleWithFixedDelay(this::send, 1, 1, TimeUnit.SECONDS);
    }

    private static String checked(final String url) {
        try {
            final URI address = new URI(url);
            final String scheme = address.getScheme();
            if (address.getHost() != null
                    && scheme != null
                    && Set.of("http", "https").contains(scheme)) {
                final String path = address.getPath();
                return path.isEmpty() || path.equals("/") ? url.replaceAll("/$", "") + PATH : url;
            }
        } catch (final URISyntaxException e) {
            // as for any other text
        }
        throw UserError.usage(
                "--otlp is \"%s\"; write the address of a collector, such as http://127.0.0.1:4318."
                        .formatted(url));
    }

    /** Throws nothing: a task that throws is never run again, and says nothing. */
    private void send() {
        tried++;
        try {
            final CompletableResultCode result = exporter.export(metrics.now());
            result.join(2 * patience.toMillis(), TimeUnit.MILLISECONDS);
            isLastTaken = result.isSuccess();
            if (!result.isSuccess()) {
                failed++;
                warnOnce("%s accepts no metrics (%s)", url, reason(result.getFailureThrowable()));
            }
        } catch (final RuntimeException e) {
            isLastTaken = false;
            failed++;
            warnOnce("metrics cannot be sent to %s (%s)", url, e);
        }
    }

    private void warnOnce(final String what, final Object... values) {
        if (!hasWarned) {
            hasWarned = true;
            trouble.accept(
                    "--otlp: %s; the run continues, and it is retried every second."
                            .formatted(what.formatted(values)));
        }
    }

    private static String reason(final Throwable failure) {
        Throwable root = failure;
        while (root != null && root.getCause() != null) {
            root = root.getCause();
        }
        if (root == null) {
            return "it did not answer, or refused them";
        }
        if (root instanceof ConnectException || root instanceof ClosedChannelException) {
            return "no server is listening there";
        }
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }

    /** Sends once more what came last, and ends. */
    @Override
    public void close() {
        sender.execute(this::send);
        sender.shutdown();
        try {
            sender.awaitTermination(3 * patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        final boolean isUnderWay = !sender.shutdownNow().isEmpty() || !sender.isTerminated();
        exporter.shutdown();
        if (isUnderWay) {
            trouble.accept(
                    "--otlp: %s did not accept the last figures of the run in time."
                            .formatted(url));
        } else if (failed > 0) {
            trouble.accept(
                    "--otlp: %d of %d times %s accepted no metrics; %s."
                            .formatted(
                                    failed,
                                    tried,
                                    url,
                                    isLastTaken
                                            ? "the final figures are there"
                                            : "the final figures are missing"));
        }
    }

    /**
     * The same metrics in the model of OpenTelemetry. Their names are those of Prometheus without
     * the endings that its text format adds: {@code tickmark_messages}, not {@code _total}.
     */
    static final class OtlpMetrics {
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
         * A cumulative value that falls needs a new start, or a collector takes what it fell to for
         * an increase since the old one (OpenTelemetry's data model, "Resets and gaps").
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
                                            point(
                                                    startNs,
                                                    point.getLabels(),
                                                    point.getValue(),
                                                    nowNs))
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
            for (final HistogramSnapshot.HistogramDataPointSnapshot point :
                    histogram.getDataPoints()) {
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

            OtlpMetric(
                    final MetricMetadata metadata, final MetricDataType type, final Data<?> data) {
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
}
