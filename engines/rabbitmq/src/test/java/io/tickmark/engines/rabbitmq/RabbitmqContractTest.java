package io.tickmark.engines.rabbitmq;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportContractTest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;

/** Plain streams through a given server. */
@ExtendWith(SharedServer.class)
class RabbitmqContractTest extends TransportContractTest {
    @Override
    protected Transport transport() {
        return new RabbitmqTransport();
    }

    @Override
    protected ChannelUri channel() {
        return SharedServer.given().with("maxPayloadBytes", "" + SharedServer.MOST_BYTES);
    }

    @Override
    protected boolean bindsExclusively() {
        return false;
    }

    /**
     * The contract resends messages that do not arrive at once, which puts a high load on a busy
     * machine.
     */
    @Override
    protected Duration patience() {
        return Duration.ofSeconds(120);
    }

    @Override
    protected List<ChannelUri> badAddresses() {
        return List.of(
                ChannelUri.parse("rabbitmq://127.0.0.1:port"),
                ChannelUri.parse("rabbitmq://127.0.0.1:70000"),
                ChannelUri.parse("rabbitmq://[::1:1"),
                ChannelUri.parse("rabbitmq://127.0.0.1:5672,127.0.0.1:5673"),
                ChannelUri.parse("rabbitmq:?prefix=a%20b"));
    }
}
