package io.tickmark.workloads.market.publisher;

import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.workloads.market.Peer;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.source.EncodeTime;
import io.tickmark.workloads.market.source.SourceGroup;

/** State shared by the connections of one publisher. Any thread. */
final class PublisherShared extends SourceGroup {
    private final PublisherSettings settings;
    private final Peer hub;
    private volatile long startAtNs = Long.MAX_VALUE;

    PublisherShared(
            final PublisherSettings settings,
            final RoleContext context,
            final Peer hub,
            final FieldDictionary dictionary,
            final MessageFile messages) {
        super(
                context,
                "connection",
                MarketPublisher.Factory.threads(settings),
                settings.run().watched(settings.api(), StallWatch.Part.SEND),
                settings.connection(),
                dictionary,
                messages);
        this.settings = settings;
        this.hub = hub;
    }

    PublisherSettings settings() {
        return settings;
    }

    Peer hub() {
        return hub;
    }

    /** The messages for a thread that encodes, to which alone they belong from now on. */
    MessageFile ownMessages() {
        return settings.content().messages(dictionary());
    }

    /** Of one thread, from 1. */
    EncodeTime encodeTime(final int thread) {
        return settings.source().encodeTime(context(), LoopCounts.suffix(thread));
    }

    /** Updates may begin. */
    void startAt(final long atNs) {
        startAtNs = atNs;
    }

    long startAtNs() {
        return startAtNs;
    }
}
