package io.tickmark.transport.nulls;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import java.util.function.LongSupplier;

/** One side of a {@code null} exchange, which knows when the next message is released. */
public final class NullExchange implements Exchange {
    /** {@link #nextReleaseNs()} where no message is in transit. */
    public static final long NEVER = DelayLine.NEVER;

    private final Publication publication;
    private final Subscription subscription;
    private final LongSupplier nextRelease;

    NullExchange(
            final Publication publication,
            final Subscription subscription,
            final LongSupplier nextRelease) {
        this.publication = publication;
        this.subscription = subscription;
        this.nextRelease = nextRelease;
    }

    /**
     * When this side has to be polled (or its publication driven) next, so that a loop on a virtual
     * clock can advance to that time. To be called by the thread of this side.
     *
     * @return ns on the transport's clock, {@link Long#MIN_VALUE} for at once, or {@link #NEVER}
     */
    public long nextReleaseNs() {
        return nextRelease.getAsLong();
    }

    @Override
    public Publication publication() {
        return publication;
    }

    @Override
    public Subscription subscription() {
        return subscription;
    }

    @Override
    public ChannelUri channel() {
        return subscription.channel();
    }

    @Override
    public void close() {
        publication.close();
        subscription.close();
    }
}
