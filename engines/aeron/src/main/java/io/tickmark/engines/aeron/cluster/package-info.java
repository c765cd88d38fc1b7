/**
 * Aeron Cluster behind the durable part of the transport SPI: members that agree on one log by
 * Raft, as processes of their own, and what they left on disk.
 */
package io.tickmark.engines.aeron.cluster;
