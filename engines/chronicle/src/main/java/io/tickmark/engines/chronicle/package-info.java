/**
 * Chronicle Queue behind the transport SPI: queues in mapped files, also as a store. Nothing else
 * knows its library.
 */
package io.tickmark.engines.chronicle;
