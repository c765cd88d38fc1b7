package io.tickmark.workloads.fix.gateway;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import java.util.List;
import java.util.stream.IntStream;

/** Makes fan-out gateways. */
public final class GatewayFactory implements RoleFactory<GatewaySettings> {
    /** For the service loader. */
    public GatewayFactory() {}

    static HotThread thread(final int worker) {
        return new HotThread("worker-" + (worker + 1), false);
    }

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
        return IntStream.range(0, OwnEngine.workers(settings))
                .mapToObj(worker -> thread(worker).waiting(settings.idle()))
                .toList();
    }

    @Override
    public long expectedDurationNs(final GatewaySettings settings) {
        return 0;
    }

    @Override
    public Role create(final GatewaySettings settings, final RoleContext context) {
        return new Gateway(settings, context);
    }
}
