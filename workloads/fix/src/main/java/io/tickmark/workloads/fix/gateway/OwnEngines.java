package io.tickmark.workloads.fix.gateway;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.RoleContext;
import java.util.List;

/** Creates the gateway of this project. */
final class OwnEngines implements GatewayEngines {
    static final String NAME = "tickmark";

    OwnEngines() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<HotThread> hotThreads(final GatewaySettings settings) {
        return HotThread.numbered("worker", settings.workerThreads(), settings.idle());
    }

    @Override
    public GatewayEngine start(final GatewaySettings settings, final RoleContext context) {
        return new OwnEngine(settings, context, hotThreads(settings));
    }
}
