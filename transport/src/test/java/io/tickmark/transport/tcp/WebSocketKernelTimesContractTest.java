package io.tickmark.transport.tcp;

import io.tickmark.transport.ChannelUri;

class WebSocketKernelTimesContractTest extends WebSocketContractTest {
    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse("ws://127.0.0.1:0?kernelTimes=true");
    }
}
