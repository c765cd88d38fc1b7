/**
 * What a hot thread writes while it measures: latencies, sequences, counters, and the files they
 * drain to.
 */
package io.tickmark.kernel.record;
