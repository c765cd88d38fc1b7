package io.tickmark.engines.pulsar;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.broker.BrokerContractTest;
import io.tickmark.transport.broker.BrokerTransport;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;

/** Plain streams through a given server, by topics that nobody keeps. */
@ExtendWith(SharedPulsar.class)
class PulsarContractTest extends BrokerContractTest {
    @Override
    protected BrokerTransport<?> transport() {
        return new PulsarTransport();
    }

    @Override
    protected ChannelUri channel() {
        return SharedPulsar.given();
    }

    @Override
    protected List<String> refused() {
        return List.of(
                "//127.0.0.1:4000,127.0.0.1:4001",
                "?prefix=a%20b",
                "?namespace=public",
                "?subscription=key_shared");
    }
}
