package io.tickmark.workloads.market.provider;

/** What one thread of a provider has counted; written by that thread alone. */
final class ProviderTotals {
    long connections;
    long requests;
    long images;
    long updates;
    long posts;
    long reflected;
    long genericsSent;
    long genericLatenciesSent;
    long genericsReceived;
    long genericsLost;
    long refused;
    long garbled;
    long ignored;
    long unreflected;
    long unsent;
    long noBuffer;
    long slowConsumers;
    double wantedUpdates;
    double wantedGenerics;

    ProviderTotals() {}

    ProviderTotals copy() {
        final ProviderTotals copy = new ProviderTotals();
        copy.add(this, 1);
        return copy;
    }

    ProviderTotals minus(final ProviderTotals other) {
        final ProviderTotals rest = copy();
        rest.add(other, -1);
        return rest;
    }

    void add(final ProviderTotals other, final int factor) {
        connections += factor * other.connections;
        requests += factor * other.requests;
        images += factor * other.images;
        updates += factor * other.updates;
        posts += factor * other.posts;
        reflected += factor * other.reflected;
        genericsSent += factor * other.genericsSent;
        genericLatenciesSent += factor * other.genericLatenciesSent;
        genericsReceived += factor * other.genericsReceived;
        genericsLost += factor * other.genericsLost;
        refused += factor * other.refused;
        garbled += factor * other.garbled;
        ignored += factor * other.ignored;
        unreflected += factor * other.unreflected;
        unsent += factor * other.unsent;
        noBuffer += factor * other.noBuffer;
        slowConsumers += factor * other.slowConsumers;
        wantedUpdates += factor * other.wantedUpdates;
        wantedGenerics += factor * other.wantedGenerics;
    }
}
