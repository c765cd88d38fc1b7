/** Benchmarks of what the messaging workload does for a message on each side; no engine. */
package io.tickmark.bench.messaging;
