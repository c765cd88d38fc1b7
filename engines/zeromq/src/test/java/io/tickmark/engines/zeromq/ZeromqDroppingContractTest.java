package io.tickmark.engines.zeromq;

import io.tickmark.transport.ChannelUri;

/** The same where a subscriber whose queue is full loses messages. */
class ZeromqDroppingContractTest extends ZeromqContractTest {
    @Override
    protected ChannelUri channel() {
        return super.channel().with("noDrop", "false");
    }
}
