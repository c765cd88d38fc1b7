/** How a running plan stands, for systems that collect metrics: Prometheus and OpenTelemetry. */
package io.tickmark.metrics;
