package io.tickmark.transport.udp;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;

/**
 * Both ends on one socket, which either closes.
 *
 * @param publication sends by the socket
 * @param subscription hears what comes to the socket
 */
record UdpExchange(UdpPublication publication, UdpSubscription subscription) implements Exchange {
    @Override
    public ChannelUri channel() {
        return subscription.channel();
    }

    @Override
    public void close() {
        publication.close();
    }
}
