package io.tickmark.workloads.market;

/**
 * Names of the endpoints with which roles of a plan tell each other where they listen; values are
 * HOST:PORT unless stated otherwise.
 */
public final class MarketEndpoints {
    /** An interactive provider, for a hub or for consumers where there is no hub. */
    public static final String PROVIDER = "rssl-provider";

    /** A hub's side for consumers; they prefer it to a provider. */
    public static final String HUB_CONSUMERS = "rssl-hub-consumers";

    /** A hub's side for non-interactive providers. */
    public static final String HUB_PUBLISHERS = "rssl-hub-publishers";

    /**
     * How many updates a second a provider stamps for each consumer: a number, which consumers need
     * before the start. Where no role of a plan says so, the stamps are of a clock that the
     * controller does not know.
     */
    public static final String STAMPED = "rssl-stamped-updates";

    private MarketEndpoints() {}
}
