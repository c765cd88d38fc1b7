package io.tickmark.engines.rabbitmq;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.broker.BrokerContractTest;
import io.tickmark.transport.broker.BrokerTransport;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;

/** Plain streams through a given server. */
@ExtendWith(SharedRabbitmq.class)
class RabbitmqContractTest extends BrokerContractTest {
    @Override
    protected BrokerTransport<?> transport() {
        return new RabbitmqTransport();
    }

    @Override
    protected ChannelUri channel() {
        return SharedRabbitmq.given().with("maxPayloadBytes", "" + SharedRabbitmq.MOST_BYTES);
    }

    @Override
    protected List<String> refused() {
        return List.of("//127.0.0.1:4000,127.0.0.1:4001", "?prefix=a%20b");
    }
}
