package io.tickmark.workloads.fix.gateway;

/** Who gets what. */
public enum Subscriptions {
    /** Every consumer gets every message that fans out. */
    ALL,
    /** A consumer gets the symbols it asked for with a MarketDataRequest. */
    SYMBOL
}
