package io.tickmark.transport.udp;

import io.tickmark.transport.ChannelUri;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf(
        value = "io.tickmark.transport.udp.HostNetwork#carriesIpv6Groups",
        disabledReason = "this host has no interface with a route to IPv6 groups")
class MulticastIpv6ContractTest extends MulticastContractTest {
    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse("mcast://[ff15::7707]:0");
    }
}
