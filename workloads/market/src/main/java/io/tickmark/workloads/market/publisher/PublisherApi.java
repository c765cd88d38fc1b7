package io.tickmark.workloads.market.publisher;

import io.tickmark.workloads.market.rssl.LibraryConnection;
import io.tickmark.workloads.market.source.FeedSink;

/** What a publisher needs of a library. */
interface PublisherApi extends LibraryConnection {
    /** For the library of the settings. */
    static PublisherApi of(final PublisherShared shared, final int number) {
        return shared.settings()
                .api()
                .make(
                        () -> new EtaPublisher(shared, number),
                        () -> new EmaPublisher(shared, number));
    }

    /** Where messages go; once it is ready. */
    FeedSink sink();

    /** How often no output buffer was free. */
    long noBuffer();

    /** Posts that the hub passed on. */
    long posts();
}
