package io.tickmark.transport.udp;

import io.tickmark.transport.ChannelUri;

class UdpKernelTimesContractTest extends UdpContractTest {
    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse("udp://127.0.0.1:0?kernelTimes=true");
    }
}
