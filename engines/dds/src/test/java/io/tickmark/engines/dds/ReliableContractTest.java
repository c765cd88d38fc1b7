package io.tickmark.engines.dds;

import io.tickmark.transport.ChannelUri;

class ReliableContractTest extends DdsContract {
    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse("dds:?reliable&lease=3s");
    }
}
