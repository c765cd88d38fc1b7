/**
 * Aeron Cluster behind the durable part of the transport SPI: members that agree on one log by
 * Raft, as separate processes, and their files.
 */
package io.tickmark.engines.aeron.cluster;
