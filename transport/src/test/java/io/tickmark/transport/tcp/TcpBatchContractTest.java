package io.tickmark.transport.tcp;

import io.tickmark.transport.ChannelUri;

class TcpBatchContractTest extends TcpContractTest {
    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse(
                "tcp://[::1]:0?batchBytes=8192&sendBufferBytes=65536&receiveBufferBytes=65536");
    }
}
