package io.tickmark.transport.udp;

import io.tickmark.transport.ChannelUri;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf(
        value = "io.tickmark.transport.udp.HostNetwork#hasIpv6",
        disabledReason = "this host has no IPv6 loopback address")
class UdpIpv6ContractTest extends UdpContractTest {
    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse("udp://[::1]:0");
    }
}
