package io.tickmark.engines.dds;

import io.tickmark.transport.ChannelUri;

class PollingContractTest extends DdsContract {
    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse("dds:?reliable&receive=polling&lease=3s");
    }
}
