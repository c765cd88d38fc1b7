package io.tickmark.workloads.market.publisher;

import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.workloads.market.Peer;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.rssl.LibraryConnection.Destination;
import io.tickmark.workloads.market.source.SourceGroup;

/** State shared by the connections of one publisher. Any thread. */
final class PublisherShared extends SourceGroup {
    private final PublisherSettings settings;
    private final Destination hub;
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
                new Sent(settings.source(), settings.content(), dictionary, messages));
        this.settings = settings;
        this.hub =
                new Destination(
                        "hub",
                        hub,
                        settings.connection(),
                        settings.uname(),
                        settings.reconnectDelay());
    }

    PublisherSettings settings() {
        return settings;
    }

    Destination hub() {
        return hub;
    }

    /** A connection was lost; {@code why} as the library says. */
    void lost(final boolean wasReady, final String why) {
        if (settings.endWithHub() && wasReady) {
            end();
        } else {
            fail("The connection to the hub at %s was lost%s.".formatted(hub.peer(), why));
        }
    }

    /** Updates may begin. */
    void startAt(final long atNs) {
        startAtNs = atNs;
    }

    long startAtNs() {
        return startAtNs;
    }
}
