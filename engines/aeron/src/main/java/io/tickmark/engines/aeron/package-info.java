/**
 * The adapter of Aeron behind the transport SPI: channels, embedded and foreign media drivers, loss
 * injection; no measuring code.
 */
package io.tickmark.engines.aeron;
