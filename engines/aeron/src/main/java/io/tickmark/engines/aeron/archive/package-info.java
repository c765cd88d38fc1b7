/**
 * Aeron Archive behind the durable part of the transport SPI: members as separate processes, a
 * quorum of them, and their files.
 */
package io.tickmark.engines.aeron.archive;
