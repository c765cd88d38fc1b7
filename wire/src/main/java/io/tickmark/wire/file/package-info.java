/**
 * Capture files, pcap and pcapng, read through windows that stay small however large the file is;
 * nothing about what is inside of a packet.
 */
package io.tickmark.wire.file;
