package io.tickmark.workloads.fix.gateway;

/** Which consumer receives which messages. */
public enum Subscriptions {
    /** Every consumer gets every message that fans out. */
    ALL,
    /** A consumer receives the symbols that it requested with a MarketDataRequest. */
    SYMBOL
}
