/**
 * What a session does with messages that it may not send yet; no threads, no clocks, no network.
 */
package io.tickmark.workloads.feed.conflate;
