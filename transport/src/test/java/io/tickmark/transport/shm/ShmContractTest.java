package io.tickmark.transport.shm;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportContractTest;
import java.util.List;

class ShmContractTest extends TransportContractTest {
    @Override
    protected Transport transport() {
        return new ShmTransport();
    }

    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse("shm:?capacityBytes=1048576");
    }

    @Override
    protected List<ChannelUri> badAddresses() {
        return List.of(
                ChannelUri.parse("shm://a/b"),
                ChannelUri.parse("shm://.."),
                ChannelUri.parse("shm://two words"));
    }
}
