package io.tickmark.engines.aeron;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;

/** One side of an exchange: two streams that know nothing of each other. */
record AeronExchange(
        ChannelUri channel, AeronPublication publication, AeronSubscription subscription)
        implements Exchange {
    @Override
    public void close() {
        publication.close();
        subscription.close();
    }
}
