package io.tickmark.transport.tcp;

import io.tickmark.transport.ChannelUri;

class WebSocketBatchContractTest extends WebSocketContractTest {
    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse("ws://[::1]:0?batchBytes=8192");
    }
}
