/**
 * Apache Pulsar behind the transport SPI: topics that are not kept, persistent ones, and persistent
 * ones as a store. Nothing else knows its client.
 */
package io.tickmark.engines.pulsar;
