/**
 * The C library's socket calls and the kernel's times of what sockets send and receive, for
 * transports; no transport lives here.
 */
package io.tickmark.transport.socket;
