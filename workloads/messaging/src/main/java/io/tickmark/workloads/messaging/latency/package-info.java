/** The latency test: pings and their echoes, closed and open loop. */
package io.tickmark.workloads.messaging.latency;
