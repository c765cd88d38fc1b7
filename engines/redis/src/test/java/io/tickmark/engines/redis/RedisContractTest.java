package io.tickmark.engines.redis;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportContractTest;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * Publish/subscribe, all tests through one server, which stands for one that somebody else runs.
 */
class RedisContractTest extends TransportContractTest {
    private static Exchange keeper;
    private static int tests;

    @BeforeAll
    static void startServer() {
        Needed.server();
        keeper =
                new RedisTransport()
                        .exchange(ChannelUri.parse("redis:"), Topic.DEFAULT, ExchangeSide.BIND, 0);
    }

    @AfterAll
    static void endServer() {
        if (keeper != null) {
            keeper.close();
        }
    }

    @Override
    protected Transport transport() {
        return new RedisTransport();
    }

    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse(
                "redis://%s?prefix=test-%d".formatted(keeper.channel().authority(), ++tests));
    }

    @Override
    protected boolean bindsExclusively() {
        return false;
    }

    @Override
    protected List<ChannelUri> badAddresses() {
        return List.of(
                ChannelUri.parse("redis://127.0.0.1:port"),
                ChannelUri.parse("redis://127.0.0.1:70000"),
                ChannelUri.parse("redis://[::1:1"),
                ChannelUri.parse("redis://127.0.0.1:6379,127.0.0.1:6380"),
                ChannelUri.parse("redis:?prefix=a%20b"));
    }
}
