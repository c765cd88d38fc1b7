package io.tickmark.engines.redis;

import io.tickmark.transport.broker.BrokerContractTest;
import io.tickmark.transport.broker.BrokerTransport;
import java.util.List;

/** Publish/subscribe. */
class RedisContractTest extends BrokerContractTest {
    @Override
    protected BrokerTransport<?> transport() {
        return new RedisTransport();
    }

    @Override
    protected List<String> refused() {
        return List.of("//127.0.0.1:4000,127.0.0.1:4001", "?prefix=a%20b");
    }
}
