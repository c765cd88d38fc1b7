/**
 * Captures with the system's {@code tcpdump}: by hand and as a role of a run; what is in them is
 * for others to read.
 */
package io.tickmark.wire.capture;
