package io.tickmark.transport.udp;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import java.util.ArrayDeque;
import java.util.Deque;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;

/** Opens what a test needs and closes it afterwards. */
abstract class UdpFixture {
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    @AfterEach
    void closeAll() {
        CloseHelper.closeAll(opened);
    }

    final <T extends AutoCloseable> T opened(final T closeable) {
        opened.push(closeable);
        return closeable;
    }

    final Publication publication(final String channel) {
        return opened(new UdpTransport().publication(ChannelUri.parse(channel), Topic.DEFAULT));
    }

    final Publication publication(final Subscription subscription) {
        return publication(subscription.channel().toString());
    }

    final Subscription subscription(final String channel) {
        return opened(new UdpTransport().subscription(ChannelUri.parse(channel), Topic.DEFAULT));
    }

    final Exchange bind(final String channel) {
        return opened(
                new UdpTransport()
                        .exchange(ChannelUri.parse(channel), Topic.DEFAULT, ExchangeSide.BIND, 0));
    }

    final Exchange connect(final ChannelUri channel) {
        return opened(new UdpTransport().exchange(channel, Topic.DEFAULT, ExchangeSide.CONNECT, 1));
    }
}
