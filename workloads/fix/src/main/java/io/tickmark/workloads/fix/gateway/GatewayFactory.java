package io.tickmark.workloads.fix.gateway;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import java.util.List;

/** Makes fan-out gateways. */
public final class GatewayFactory implements RoleFactory<GatewaySettings> {
    /** For the service loader. */
    public GatewayFactory() {}

    @Override
    public String name() {
        return "fix-gateway";
    }

    @Override
    public String summary() {
        return "Takes FIX messages from producers and fans them out to consumers.";
    }

    @Override
    public Class<GatewaySettings> settings() {
        return GatewaySettings.class;
    }

    @Override
    public List<HotThread> hotThreads(
            final GatewaySettings settings, final int index, final int count) {
        return Gateway.find(settings.channel())
                .map(engine -> engine.hotThreads(settings))
                .orElse(List.of()); // it says itself that there is no such engine
    }

    @Override
    public long expectedDurationNs(final GatewaySettings settings) {
        return 0;
    }

    @Override
    public void check(final GatewaySettings settings) {
        if (Gateway.find(settings.channel()).isEmpty()) {
            throw Gateway.unknown(settings.channel());
        }
    }

    @Override
    public Role create(final GatewaySettings settings, final RoleContext context) {
        return new Gateway(settings, context);
    }
}
