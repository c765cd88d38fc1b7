package io.tickmark.engines.aeron;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportContractTest;
import java.util.List;

class EndpointContractTest extends TransportContractTest {
    private static final long BUFFERED_BYTES = 8L << 20;

    @Override
    protected Transport transport() {
        return new AeronTransport();
    }

    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse("aeron:udp?endpoint=127.0.0.1:0|term-length=1m");
    }

    @Override
    protected List<ChannelUri> badAddresses() {
        return List.of(
                ChannelUri.parse("aeron:udp"),
                ChannelUri.parse("aeron:udp?endpoint=127.0.0.1"),
                ChannelUri.parse("aeron:udp?endpoint=127.0.0.1:70000"),
                ChannelUri.parse("aeron:udp?endpoint=no host:4040"),
                ChannelUri.parse("aeron:udp?control-mode=dynamic"),
                ChannelUri.parse("aeron:udp?control-mode=manual"),
                ChannelUri.parse("aeron:udp?endpoint=127.0.0.1:0|control-mode=response"));
    }

    @Override
    protected boolean subscriptionBinds() {
        return true;
    }

    @Override
    protected boolean bindsExclusively() {
        return false;
    }

    @Override
    protected long bufferedBytes() {
        return BUFFERED_BYTES;
    }
}
