/** Where price messages come from: a generator, a file, an engine; knows nothing of sessions. */
package io.tickmark.workloads.feed.source;
