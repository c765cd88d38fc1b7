package io.tickmark.engines.quickfixj;

import io.tickmark.kernel.role.RoleContext;
import io.tickmark.workloads.fix.gateway.GatewayEngine;
import io.tickmark.workloads.fix.gateway.GatewayEngines;
import io.tickmark.workloads.fix.gateway.GatewaySettings;

/** Makes gateways on QuickFIX/J. */
public final class QuickFixEngines implements GatewayEngines {
    /** For the service loader. */
    public QuickFixEngines() {}

    @Override
    public String name() {
        return "quickfixj";
    }

    @Override
    public GatewayEngine start(final GatewaySettings settings, final RoleContext context) {
        return new QuickFixGateway(settings);
    }
}
