package io.tickmark.engines.zeromq;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportContractTest;
import java.util.List;

class ZeromqContractTest extends TransportContractTest {
    @Override
    protected Transport transport() {
        return new ZeromqTransport();
    }

    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse("zeromq://127.0.0.1:0");
    }

    @Override
    protected List<ChannelUri> badAddresses() {
        return List.of(
                ChannelUri.parse("zeromq://127.0.0.1:port"),
                ChannelUri.parse("zeromq://127.0.0.1:70000"),
                ChannelUri.parse("zeromq://a:b:c"),
                ChannelUri.parse("zeromq://[::1:1"),
                ChannelUri.parse("zeromq://no.such.host.invalid:5555"));
    }
}
