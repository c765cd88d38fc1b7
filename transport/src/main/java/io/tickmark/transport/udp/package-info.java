/**
 * Datagrams, unicast and multicast, sent and received by the socket calls of Linux themselves so
 * that kernel batches can be used; nothing of the measurement.
 */
package io.tickmark.transport.udp;
