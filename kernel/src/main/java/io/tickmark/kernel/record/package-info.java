/**
 * What a hot thread writes while it measures: latencies, sequences, counters, and the files that
 * they are drained to.
 */
package io.tickmark.kernel.record;
