package io.tickmark.engines.zeromq;

import io.tickmark.transport.ChannelUri;

/** The same over IPv6, with queues so short that each side holds the other back all the time. */
class ZeromqSmallQueuesContractTest extends ZeromqContractTest {
    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse(
                "zeromq://[::1]:0?sendHwm=1&receiveHwm=1&ioThreads=2&linger=1s&maxPayloadBytes=262144");
    }

    /** One message on each side, and the kernel's socket buffers. */
    @Override
    protected long bufferedBytes() {
        return 16L << 20;
    }
}
