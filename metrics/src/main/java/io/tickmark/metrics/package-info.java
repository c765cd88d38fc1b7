/** The state of a running plan, for systems that collect metrics: Prometheus and OpenTelemetry. */
package io.tickmark.metrics;
