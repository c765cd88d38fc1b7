/**
 * Streams through a store: what is in flight, what is stable, and the role that runs the store and
 * reads it back; engines are known by the durable part of the transport SPI alone.
 */
package io.tickmark.workloads.messaging.store;
