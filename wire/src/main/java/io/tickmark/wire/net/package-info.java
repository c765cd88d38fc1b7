/**
 * From a captured packet to an IP datagram: link layers, IPv4 and IPv6, fragments, duplicates of
 * captures that see a packet more than once.
 */
package io.tickmark.wire.net;
