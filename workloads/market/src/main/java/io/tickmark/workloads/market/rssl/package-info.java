/**
 * Connections of the Real-Time SDK's Reactor: opening, dispatching and writing; no message content.
 */
package io.tickmark.workloads.market.rssl;
