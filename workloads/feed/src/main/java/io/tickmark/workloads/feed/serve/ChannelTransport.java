package io.tickmark.workloads.feed.serve;

/** How frames get to a client. */
public enum ChannelTransport {
    /** WebSocket (RFC 6455). */
    WEBSOCKET,
    /** Server-sent events: one response that does not end, of text. */
    EVENTS,
    /** Streaming fetch: one response that does not end, of bytes. */
    STREAM,
    /** Long polling: a request waits until there is something. */
    POLLING
}
