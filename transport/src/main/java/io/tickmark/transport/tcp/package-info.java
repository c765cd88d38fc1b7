/**
 * The {@code tcp} and {@code ws} transports: framed messages over stream sockets; one side listens,
 * many connect.
 */
package io.tickmark.transport.tcp;
