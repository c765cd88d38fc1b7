/**
 * The FIX session layer as a state machine: bytes and times in, bytes out; no sockets, no threads,
 * no clocks of its own.
 */
package io.tickmark.workloads.fix.session;
