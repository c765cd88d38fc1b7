/** Connections: bytes between a socket, plain or TLS, and a session; no FIX rules, no threads. */
package io.tickmark.workloads.fix.link;
