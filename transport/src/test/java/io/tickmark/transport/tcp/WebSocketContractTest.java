package io.tickmark.transport.tcp;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportContractTest;
import java.util.List;

class WebSocketContractTest extends TransportContractTest {
    @Override
    protected Transport transport() {
        return new WebSocketTransport();
    }

    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse("ws://127.0.0.1:0/prices");
    }

    @Override
    protected List<ChannelUri> badAddresses() {
        return List.of(
                ChannelUri.parse("ws://127.0.0.1:port"),
                ChannelUri.parse("ws://127.0.0.1:70000/prices"),
                ChannelUri.parse("ws://127.0.0.1:0/with space"));
    }
}
