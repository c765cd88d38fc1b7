/** Eclipse Cyclone DDS behind the transport SPI. */
package io.tickmark.engines.dds;
