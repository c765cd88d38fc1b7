package io.tickmark.engines.dds;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportContractTest;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** What all DDS channels have in common. */
abstract class DdsContract extends TransportContractTest {
    @BeforeEach
    void needTheLibrary() {
        CycloneNeeds.library();
    }

    @Override
    protected Transport transport() {
        return new DdsTransport();
    }

    @Override
    protected List<ChannelUri> badAddresses() {
        return List.of(
                ChannelUri.parse("dds://233"),
                ChannelUri.parse("dds://-1"),
                ChannelUri.parse("dds://host"),
                ChannelUri.parse("dds://0?transport=4"),
                ChannelUri.parse("dds://0?multicast=10.0.0.1"),
                ChannelUri.parse("dds://0?multicast=ff02::1"),
                ChannelUri.parse("dds://0?peer=a b"),
                ChannelUri.parse("dds://0?nic=<x>"),
                ChannelUri.parse("dds://0?discovery=peers"),
                ChannelUri.parse("dds://0?partition=a*"),
                ChannelUri.parse("dds://0?transport=2&history=keep-all"));
    }

    @Override
    protected boolean bindsExclusively() {
        return false;
    }
}
