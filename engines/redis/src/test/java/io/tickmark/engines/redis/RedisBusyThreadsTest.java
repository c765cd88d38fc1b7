package io.tickmark.engines.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.ExchangeSide;
import org.junit.jupiter.api.Test;

class RedisBusyThreadsTest {
    @Test
    void shouldCountTheServerOnlyAtTheEndThatStartsIt() {
        assertThat(busyThreads("redis:", ExchangeSide.BIND)).isEqualTo(3);
        assertThat(busyThreads("redis:", ExchangeSide.CONNECT)).isEqualTo(2);
        assertThat(busyThreads("redis://10.0.0.1:6379", ExchangeSide.BIND)).isEqualTo(2);
    }

    private static int busyThreads(final String channel, final ExchangeSide side) {
        return new RedisTransport().busyThreads(ChannelUri.parse(channel), side);
    }
}
