/**
 * ZeroMQ (JeroMQ) behind the transport SPI: PUB/SUB sockets for messages, PUSH/PULL sockets for
 * answers. No other package uses its library.
 */
package io.tickmark.engines.zeromq;
