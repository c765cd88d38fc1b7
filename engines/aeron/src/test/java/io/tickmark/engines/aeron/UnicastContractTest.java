package io.tickmark.engines.aeron;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportContractTest;
import java.util.List;

class UnicastContractTest extends TransportContractTest {
    private static final long BUFFERED_BYTES = 8L << 20;

    @Override
    protected Transport transport() {
        return new AeronTransport();
    }

    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse("aeron:udp?endpoint=127.0.0.1:0|unicast=true|term-length=1m");
    }

    @Override
    protected List<ChannelUri> badAddresses() {
        return List.of(
                ChannelUri.parse("aeron:ipc?unicast=true"),
                ChannelUri.parse("aeron:udp?endpoint=224.0.1.1:4041|unicast=true"),
                ChannelUri.parse("aeron:udp?control=127.0.0.1:0|unicast=true"),
                ChannelUri.parse("aeron:udp?endpoint=127.0.0.1:4040|unicast=maybe"));
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
