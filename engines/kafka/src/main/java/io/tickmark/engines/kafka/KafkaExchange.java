package io.tickmark.engines.kafka;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;

/** Both ends; the subscription closes what stands behind them. */
record KafkaExchange(ChannelUri channel, Publication publication, Subscription subscription)
        implements Exchange {
    @Override
    public void close() {
        publication.close();
        subscription.close();
    }
}
