package io.tickmark.transport.shm;

import io.tickmark.transport.ChannelUri;

class ShmLossyContractTest extends ShmContractTest {
    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse("shm:?lossy&capacityBytes=65536");
    }
}
