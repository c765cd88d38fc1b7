/**
 * The transport SPI and the channel URI; what an engine's adapter implements and a workload uses;
 * no code of either belongs here.
 */
package io.tickmark.transport;
