/**
 * RabbitMQ behind the transport SPI: an exchange with a queue for each subscriber, and durable
 * queues as a store. Nothing else knows its client.
 */
package io.tickmark.engines.rabbitmq;
