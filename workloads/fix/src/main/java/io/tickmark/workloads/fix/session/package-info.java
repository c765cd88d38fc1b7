/**
 * The FIX session layer as a state machine: bytes and times in, bytes out; without its own sockets,
 * threads and clocks.
 */
package io.tickmark.workloads.fix.session;
