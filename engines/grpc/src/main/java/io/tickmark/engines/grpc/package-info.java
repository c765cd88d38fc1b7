/**
 * gRPC behind the transport SPI: messages as byte arrays on streams. Nothing else knows its
 * library.
 */
package io.tickmark.engines.grpc;
