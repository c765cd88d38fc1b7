package io.tickmark.engines.nats;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportContractTest;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;

/** Core NATS, each test with a server that its binding side starts. */
class OwnServerContractTest extends TransportContractTest {
    @BeforeAll
    static void needServer() {
        Needed.server();
    }

    @Override
    protected Transport transport() {
        return new NatsTransport();
    }

    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse("nats:");
    }

    @Override
    protected boolean bindsExclusively() {
        return false; // topics of a process share its server
    }

    @Override
    protected List<ChannelUri> badAddresses() {
        return List.of(
                ChannelUri.parse("nats://127.0.0.1:port"),
                ChannelUri.parse("nats://127.0.0.1:70000"),
                ChannelUri.parse("nats://[::1:1"),
                ChannelUri.parse("nats://127.0.0.1:4222,127.0.0.1:0"),
                ChannelUri.parse("nats:?subject=a..b"),
                ChannelUri.parse("nats:?subject=."));
    }
}
