package io.tickmark.engines.aeron;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportContractTest;
import java.util.List;

class IpcContractTest extends TransportContractTest {
    private static final long BUFFERED_BYTES = 8L << 20;

    @Override
    protected Transport transport() {
        return new AeronTransport();
    }

    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse("aeron:ipc?livenessTimeout=20s|term-length=1m");
    }

    @Override
    protected List<ChannelUri> badAddresses() {
        return List.of(
                ChannelUri.parse("aeron:ipc?endpoint=127.0.0.1:4040"),
                ChannelUri.parse("aeron://ipc"),
                ChannelUri.parse("aeron:tcp?endpoint=127.0.0.1:4040"));
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
