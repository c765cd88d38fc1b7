package io.tickmark.engines.dds;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;

/** One side of an exchange: a writer of one topic and a reader of the other. */
record DdsExchange(ChannelUri channel, DdsPublication publication, DdsSubscription subscription)
        implements Exchange {
    @Override
    public void close() {
        publication.close();
        subscription.close();
    }
}
