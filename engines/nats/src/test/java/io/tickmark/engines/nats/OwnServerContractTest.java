package io.tickmark.engines.nats;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.broker.BrokerContractTest;
import io.tickmark.transport.broker.BrokerTransport;
import java.util.List;

/** Core NATS, each test with a server that its binding side starts. */
class OwnServerContractTest extends BrokerContractTest {
    @Override
    protected BrokerTransport<?> transport() {
        return new NatsTransport();
    }

    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse("nats:");
    }

    @Override
    protected List<String> refused() {
        return List.of("?subject=a..b", "?subject=.");
    }
}
