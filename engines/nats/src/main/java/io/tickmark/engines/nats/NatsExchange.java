package io.tickmark.engines.nats;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;

/** Both ends over one connection, which the subscription closes. */
record NatsExchange(ChannelUri channel, Publication publication, Subscription subscription)
        implements Exchange {
    @Override
    public void close() {
        publication.close();
        subscription.close();
    }
}
