package io.tickmark.engines.rabbitmq;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.broker.BrokerContractTest;
import io.tickmark.transport.broker.BrokerTransport;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;

/** Plain tests by streams of a given server. */
@ExtendWith(StreamServer.class)
class StreamContractTest extends BrokerContractTest {
    @Override
    protected BrokerTransport<?> transport() {
        return new RabbitmqStreamTransport();
    }

    @Override
    protected ChannelUri channel() {
        return StreamServer.given().with("maxPayloadBytes", "" + StreamServer.MOST_BYTES);
    }

    /** {@link GivenServerTests} does. */
    @Override
    protected boolean isStartedAgain() {
        return false;
    }

    @Override
    protected List<String> refused() {
        return List.of(
                "//127.0.0.1:5552,127.0.0.1:5553", "?prefix=a%20b", "?deletion=acknowledged");
    }
}
