package io.tickmark.engines.zeromq;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.ExchangeSide;
import org.junit.jupiter.api.Test;

class ZeromqBusyThreadsTest {
    @Test
    void shouldCountAsManyThreadsAsTheChannelAsksFor() {
        assertThat(busyThreads("zeromq://127.0.0.1:0", ExchangeSide.CONNECT)).isEqualTo(1);
        assertThat(busyThreads("zeromq://127.0.0.1:0?ioThreads=3", ExchangeSide.BIND)).isEqualTo(3);
    }

    private static int busyThreads(final String channel, final ExchangeSide side) {
        return new ZeromqTransport().busyThreads(ChannelUri.parse(channel), side);
    }
}
