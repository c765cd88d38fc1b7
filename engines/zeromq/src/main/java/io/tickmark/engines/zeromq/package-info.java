/**
 * ZeroMQ by JeroMQ behind the transport SPI: sockets that publish and subscribe, answers by sockets
 * that push and pull. Nothing else knows its library.
 */
package io.tickmark.engines.zeromq;
