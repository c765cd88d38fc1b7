/**
 * The transport SPI and the channel URI; what an engine's adapter implements and a workload uses,
 * and nothing of either.
 */
package io.tickmark.transport;
