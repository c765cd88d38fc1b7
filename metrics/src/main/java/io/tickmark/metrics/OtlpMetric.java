package io.tickmark.metrics;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.metrics.data.Data;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.resources.Resource;
import io.prometheus.metrics.model.snapshots.MetricMetadata;

/** One metric with its values, as the exporter takes it. */
final class OtlpMetric implements MetricData {
    private static final InstrumentationScopeInfo SCOPE =
            InstrumentationScopeInfo.create("io.tickmark");
    private static final Resource RESOURCE =
            Resource.getDefault()
                    .merge(
                            Resource.create(
                                    Attributes.of(
                                            AttributeKey.stringKey("service.name"), "tickmark")));

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
        // no "1", which is for ratios: a collector would append that word to the names of gauges
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
