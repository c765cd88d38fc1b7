/**
 * Redis behind the transport SPI: publish/subscribe, and streams as a store. Nothing else knows its
 * client.
 */
package io.tickmark.engines.redis;
