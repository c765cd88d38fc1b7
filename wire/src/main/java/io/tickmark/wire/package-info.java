/** Latency read from captures: files, link layers, streams, messages, matching. */
package io.tickmark.wire;
