/**
 * Aeron Archive behind the durable part of the transport SPI: members as processes of their own, a
 * quorum of them, and what they left on disk.
 */
package io.tickmark.engines.aeron.archive;
