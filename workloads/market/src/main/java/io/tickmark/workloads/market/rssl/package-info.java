/**
 * Connections on the two libraries of the Real-Time SDK: opening, dispatching and writing; no
 * message content.
 */
package io.tickmark.workloads.market.rssl;
