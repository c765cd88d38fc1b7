/**
 * Apache Kafka behind the transport SPI, for plain and for stored streams; brokers started as
 * children in KRaft mode or given by address.
 */
package io.tickmark.engines.kafka;
