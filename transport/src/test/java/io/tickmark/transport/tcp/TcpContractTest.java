package io.tickmark.transport.tcp;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportContractTest;
import java.util.List;

class TcpContractTest extends TransportContractTest {
    @Override
    protected Transport transport() {
        return new TcpTransport();
    }

    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse("tcp://:0");
    }

    @Override
    protected List<ChannelUri> badAddresses() {
        return List.of(
                ChannelUri.parse("tcp://127.0.0.1:port"),
                ChannelUri.parse("tcp://127.0.0.1:70000"),
                ChannelUri.parse("tcp://127.0.0.1:-1"),
                ChannelUri.parse("tcp://a:b:c:1"),
                ChannelUri.parse("tcp://[::1:1"));
    }
}
