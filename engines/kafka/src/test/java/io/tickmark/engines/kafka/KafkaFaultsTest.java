package io.tickmark.engines.kafka;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.broker.BrokerStoreTransport;
import io.tickmark.transport.broker.ServerFaultTests;
import io.tickmark.transport.broker.SharedStore;
import org.junit.jupiter.api.extension.ExtendWith;

/** A broker that stands still; what it refuses is in the tests of its channel and its store. */
@ExtendWith(SharedServer.class)
class KafkaFaultsTest extends ServerFaultTests {
    @Override
    protected BrokerStoreTransport<?> transport() {
        return new KafkaTransport();
    }

    @Override
    protected ChannelUri narrow() {
        return SharedStore.given().with("bufferBytes", "262144");
    }
}
