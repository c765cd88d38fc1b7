/** A price feed, and sessions that conflate it. */
package io.tickmark.workloads.feed;
