/**
 * The durable part of the transport SPI: publications that become stable, acknowledgements, stores.
 */
package io.tickmark.transport.store;
