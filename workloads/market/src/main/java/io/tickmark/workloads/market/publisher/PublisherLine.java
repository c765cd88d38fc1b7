package io.tickmark.workloads.market.publisher;

import io.tickmark.workloads.market.source.FeedSink;

/**
 * A publisher's connection to the hub on one of the libraries, which counts posts and times the
 * login. Single-threaded.
 */
interface PublisherLine {
    /** On the library of the settings, which nothing else of the publisher knows. */
    static PublisherLine of(
            final PublisherShared shared, final int number, final PublisherCounts counts) {
        return switch (shared.settings().api()) {
            case ETA -> new EtaPublisherLine(shared, number, counts);
            case EMA -> new EmaPublisherLine(shared, number, counts);
        };
    }

    /** Begins to connect. */
    void open();

    /** Receives available messages. */
    void dispatch(long nowNs);

    /** Waits, at most this long. */
    void idle(long forNs);

    /** Whether images may be sent: the login is answered and the service is announced. */
    boolean isReady();

    /** Where messages go; once it is ready. */
    FeedSink sink();

    /** How often no output buffer was free. */
    long noBuffer();

    /** Why nothing can be published yet. */
    String diagnosis();

    /** Closes the connection, which is no failure; idempotent. */
    void close();
}
