package io.tickmark.workloads.market.provider;

/** The work of one thread of the provider, on either of the libraries. */
interface ProviderWork extends Runnable {
    /** What it found out; after {@link #run}. */
    ProviderFindings findings();
}
