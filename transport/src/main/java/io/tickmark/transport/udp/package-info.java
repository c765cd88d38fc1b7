/**
 * Datagrams, unicast and multicast, sent and received directly with the socket calls of Linux so
 * that kernel batches can be used; no measuring code belongs here.
 */
package io.tickmark.transport.udp;
