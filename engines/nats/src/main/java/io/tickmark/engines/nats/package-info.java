/**
 * NATS behind the transport SPI: core NATS for plain streams, JetStream for stored ones, servers
 * started as children or given by address.
 */
package io.tickmark.engines.nats;
