package io.tickmark.engines.dds;

import io.tickmark.transport.ChannelUri;

class BestEffortContractTest extends DdsContract {
    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse("dds:?lease=3s");
    }
}
