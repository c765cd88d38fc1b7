/**
 * ActiveMQ Artemis behind the transport SPI: multicast addresses, and durable queues as a store.
 * Nothing else knows its client and server.
 */
package io.tickmark.engines.artemis;
