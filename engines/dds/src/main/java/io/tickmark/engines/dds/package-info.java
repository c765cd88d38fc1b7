/**
 * Eclipse Cyclone DDS behind the transport SPI, called with the foreign function interface; nothing
 * is measured here.
 */
package io.tickmark.engines.dds;
