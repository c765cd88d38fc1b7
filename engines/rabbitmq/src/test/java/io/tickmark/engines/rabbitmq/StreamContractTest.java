package io.tickmark.engines.rabbitmq;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportContractTest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;

/** Plain tests by streams of a given server. */
@ExtendWith(StreamServer.class)
class StreamContractTest extends TransportContractTest {
    @Override
    protected Transport transport() {
        return new RabbitmqStreamTransport();
    }

    @Override
    protected ChannelUri channel() {
        return StreamServer.given().with("maxPayloadBytes", "" + StreamServer.MOST_BYTES);
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
                ChannelUri.parse("rabbitmq-stream://127.0.0.1:port"),
                ChannelUri.parse("rabbitmq-stream://127.0.0.1:70000"),
                ChannelUri.parse("rabbitmq-stream://127.0.0.1:5552,127.0.0.1:5553"),
                ChannelUri.parse("rabbitmq-stream:?prefix=a%20b"),
                ChannelUri.parse("rabbitmq-stream:?deletion=acknowledged"));
    }
}
