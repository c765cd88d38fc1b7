/**
 * Drivers of the OpenMessaging Benchmark framework as an engine: a user's jars behind the transport
 * SPI. No class of the framework is known at compile time or shipped; what knows its interface is
 * {@code DriverApi} alone.
 */
package io.tickmark.engines.omb;
