package io.tickmark.transport.udp;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportContractTest;
import java.util.List;

class MulticastContractTest extends TransportContractTest {
    @Override
    protected Transport transport() {
        return new MulticastTransport();
    }

    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse("mcast://239.255.77.1:0");
    }

    @Override
    protected List<ChannelUri> badAddresses() {
        return List.of(
                ChannelUri.parse("mcast://127.0.0.1:4002"),
                ChannelUri.parse("mcast://[::1]:4002"),
                ChannelUri.parse("mcast://239.255.77.1:70000"));
    }

    @Override
    protected boolean subscriptionBinds() {
        return true;
    }

    @Override
    protected boolean bindsExclusively() {
        return false;
    }
}
