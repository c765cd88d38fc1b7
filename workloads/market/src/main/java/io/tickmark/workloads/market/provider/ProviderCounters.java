package io.tickmark.workloads.market.provider;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.Recording;

/** What one thread of a provider has sent and received so far, for its rates; that thread sets. */
final class ProviderCounters {
    private final Counter images;
    private final Counter updates;
    private final Counter posts;
    private final Counter genericsSent;
    private final Counter generics;

    ProviderCounters(final Recording recording, final int thread) {
        final String suffix = thread == 1 ? "" : "-" + thread;
        images = recording.counter("imagesSent" + suffix);
        updates = recording.counter("updatesSent" + suffix);
        posts = recording.counter("postsReceived" + suffix);
        genericsSent = recording.counter("genericMessagesSent" + suffix);
        generics = recording.counter("genericMessagesReceived" + suffix);
    }

    void set(final ProviderTotals totals) {
        images.set(totals.images);
        updates.set(totals.updates);
        posts.set(totals.posts);
        genericsSent.set(totals.genericsSent);
        generics.set(totals.genericsReceived);
    }
}
