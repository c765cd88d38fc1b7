/** Sources of price messages: a generator, a file, an engine; independent of sessions. */
package io.tickmark.workloads.feed.source;
