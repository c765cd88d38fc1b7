package io.tickmark.workloads.messaging.latency;

/** Which program sends pings back. */
public enum EchoKind {
    /** One of our subscribers. */
    SUBSCRIBER,
    /** Any plain echo service (RFC 862) at the channel's address. */
    EXTERNAL
}
