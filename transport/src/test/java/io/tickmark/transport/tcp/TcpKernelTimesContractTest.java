package io.tickmark.transport.tcp;

import io.tickmark.transport.ChannelUri;

class TcpKernelTimesContractTest extends TcpContractTest {
    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse("tcp://127.0.0.1:0?kernelTimes=true");
    }
}
