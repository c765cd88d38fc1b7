/**
 * The {@code null} transport: an in-process channel with programmed delay, loss, duplicates and
 * swaps, with which the bench measures itself; nothing here uses a network.
 */
package io.tickmark.transport.nulls;
