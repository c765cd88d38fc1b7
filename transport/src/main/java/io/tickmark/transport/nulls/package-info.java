/**
 * The {@code null} transport: an in-process channel with programmed delay, loss, duplicates and
 * swaps, by which the bench measures itself; nothing here touches a network.
 */
package io.tickmark.transport.nulls;
