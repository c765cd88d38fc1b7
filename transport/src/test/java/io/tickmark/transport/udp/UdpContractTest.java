package io.tickmark.transport.udp;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportContractTest;
import java.util.List;

class UdpContractTest extends TransportContractTest {
    @Override
    protected Transport transport() {
        return new UdpTransport();
    }

    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse("udp://127.0.0.1:0");
    }

    @Override
    protected List<ChannelUri> badAddresses() {
        return List.of(
                ChannelUri.parse("udp://127.0.0.1:70000"),
                ChannelUri.parse("udp://127.0.0.1:http"),
                ChannelUri.parse("udp://127.0.0.1:-1"),
                ChannelUri.parse("udp://::1:4001"),
                ChannelUri.parse("udp://[::zz]:4001"),
                ChannelUri.parse("udp://[::1:4001"),
                ChannelUri.parse("udp://127.0.0.1:1,[::1]:2"));
    }

    @Override
    protected boolean subscriptionBinds() {
        return true;
    }
}
