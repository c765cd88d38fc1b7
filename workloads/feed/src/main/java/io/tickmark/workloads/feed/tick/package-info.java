/** The layout of a price message in memory and on the wire; independent of its transport. */
package io.tickmark.workloads.feed.tick;
