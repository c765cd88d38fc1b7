package io.tickmark.engines.aeron;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportContractTest;
import java.util.List;

class AeronMulticastContractTest extends TransportContractTest {
    private static final long BUFFERED_BYTES = 8L << 20;

    @Override
    protected Transport transport() {
        return new AeronTransport();
    }

    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse(
                "aeron:udp?endpoint=224.0.1.1:0|interface=127.0.0.1|term-length=1m");
    }

    @Override
    protected List<ChannelUri> badAddresses() {
        return List.of(ChannelUri.parse("aeron:udp?endpoint=224.0.1.1|interface=127.0.0.1"));
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
