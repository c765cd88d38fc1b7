package io.tickmark.engines.grpc;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportContractTest;
import java.util.List;

class GrpcContractTest extends TransportContractTest {
    @Override
    protected Transport transport() {
        return new GrpcTransport();
    }

    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse("grpc://:0");
    }

    @Override
    protected List<ChannelUri> badAddresses() {
        return List.of(
                ChannelUri.parse("grpc://127.0.0.1:port"),
                ChannelUri.parse("grpc://127.0.0.1:70000"),
                ChannelUri.parse("grpc://a:b:c:1"),
                ChannelUri.parse("grpc://[::1:1"));
    }
}
