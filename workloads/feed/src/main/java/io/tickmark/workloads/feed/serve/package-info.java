/** Channels of a browser (WebSocket, events, stream, polling) on an embedded HTTP server. */
package io.tickmark.workloads.feed.serve;
