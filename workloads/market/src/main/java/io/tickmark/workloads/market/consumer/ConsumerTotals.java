package io.tickmark.workloads.market.consumer;

/** What one connection has counted; written by its thread alone, copied to be read by others. */
final class ConsumerTotals {
    long requests;
    long repeated;
    long refreshes;
    long images;
    long suspects;
    long statuses;
    long suspectItems;
    long recoveredItems;
    long updates;
    long posts;
    long postsBack;
    long nacks;
    long genericsSent;
    long genericLatenciesSent;
    long genericsReceived;
    long garbled;
    long strays;
    long lost;
    long duplicated;

    ConsumerTotals() {}

    /** Sets all of them to 0. */
    void clear() {
        add(copy(), -1);
    }

    /** These minus others, field by field. */
    ConsumerTotals minus(final ConsumerTotals other) {
        final ConsumerTotals rest = new ConsumerTotals();
        rest.add(this, 1);
        rest.add(other, -1);
        return rest;
    }

    ConsumerTotals copy() {
        final ConsumerTotals copy = new ConsumerTotals();
        copy.add(this, 1);
        return copy;
    }

    /** Adds others times a factor. */
    void add(final ConsumerTotals other, final int factor) {
        requests += factor * other.requests;
        repeated += factor * other.repeated;
        refreshes += factor * other.refreshes;
        images += factor * other.images;
        suspects += factor * other.suspects;
        statuses += factor * other.statuses;
        suspectItems += factor * other.suspectItems;
        recoveredItems += factor * other.recoveredItems;
        updates += factor * other.updates;
        posts += factor * other.posts;
        postsBack += factor * other.postsBack;
        nacks += factor * other.nacks;
        genericsSent += factor * other.genericsSent;
        genericLatenciesSent += factor * other.genericLatenciesSent;
        genericsReceived += factor * other.genericsReceived;
        garbled += factor * other.garbled;
        strays += factor * other.strays;
        lost += factor * other.lost;
        duplicated += factor * other.duplicated;
    }
}
