package io.tickmark.engines.quickfixj;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.workloads.fix.gateway.GatewayEngine;
import io.tickmark.workloads.fix.gateway.GatewayEngines;
import io.tickmark.workloads.fix.gateway.GatewaySettings;
import java.util.List;

/** Creates gateways on QuickFIX/J. */
public final class QuickFixEngines implements GatewayEngines {
    static final String NAME = "quickfixj";

    /** For the service loader. */
    public QuickFixEngines() {}

    @Override
    public String name() {
        return NAME;
    }

    /** MINA's threads for sockets wait in a selector, those of the sessions for a queue. */
    @Override
    public List<HotThread> hotThreads(final GatewaySettings settings) {
        return List.of(
                new HotThread("quickfixj-sockets").waiting(IdleMode.BLOCK),
                new HotThread("quickfixj-sessions").waiting(IdleMode.BLOCK));
    }

    @Override
    public GatewayEngine start(final GatewaySettings settings, final RoleContext context) {
        return new QuickFixGateway(settings);
    }
}
