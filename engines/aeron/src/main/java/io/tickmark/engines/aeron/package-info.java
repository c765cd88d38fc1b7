/**
 * The adapter of Aeron behind the transport SPI: channels, embedded and foreign media drivers, loss
 * injection; nothing of how it is measured.
 */
package io.tickmark.engines.aeron;
