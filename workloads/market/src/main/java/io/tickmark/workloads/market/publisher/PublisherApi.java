package io.tickmark.workloads.market.publisher;

import io.tickmark.workloads.market.rssl.LibraryConnection;
import io.tickmark.workloads.market.source.FeedSink;

/** What a publisher needs of a library. */
interface PublisherApi extends LibraryConnection {
    /** On the library of the settings, which nothing else of the publisher knows. */
    static PublisherApi of(final PublisherShared shared, final int number) {
        return switch (shared.settings().api()) {
            case ETA -> new EtaPublisher(shared, number);
            case EMA -> new EmaPublisher(shared, number);
        };
    }

    /** Where messages go; once it is ready. */
    FeedSink sink();

    /** How often no output buffer was free. */
    long noBuffer();

    /** Posts that the hub passed on. */
    long posts();
}
