package io.tickmark.engines.grpc;

import io.tickmark.transport.ChannelUri;

/** The same with buffers so small that each side holds the other back all the time. */
class GrpcSmallBuffersContractTest extends GrpcContractTest {
    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse(
                "grpc://[::1]:0?sendPendingBytes=1&receivePendingBytes=1024&windowBytes=65535"
                        + "&ioThreads=2&token=ours&maxPayloadBytes=262144");
    }
}
