/**
 * Redis behind the transport SPI: publish/subscribe, and streams as a store. Nothing else knows its
 * client.
 *
 * <p>Plain tests alone would need the transport, its parameters, the link and the connections. Half
 * of the package is the store: what an entry is, both ends that number and acknowledge entries, and
 * a reader of the append-only files, because a store that is asked what it kept could be wrong
 * about it. The connections are longer than the client's own would be, as they say in a sentence
 * why a server cannot be used, and count what broke.
 */
package io.tickmark.engines.redis;
