/**
 * Streams through a store: what is in flight, what is stable, and the role that runs the store and
 * reads it back; engines are used only through the durable part of the transport SPI.
 */
package io.tickmark.workloads.messaging.store;
