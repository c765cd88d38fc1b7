/**
 * The {@code tcp} transport: framed messages over stream sockets; one side listens, many connect.
 */
package io.tickmark.transport.tcp;
