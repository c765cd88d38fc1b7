/** What a price message looks like in memory and on the wire; knows nothing of how it travels. */
package io.tickmark.workloads.feed.tick;
