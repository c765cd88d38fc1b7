package io.tickmark.workloads.fix.gateway;

import io.tickmark.kernel.role.RoleContext;

/** Makes the gateway of this project. */
final class OwnEngines implements GatewayEngines {
    static final String NAME = "tickmark";

    OwnEngines() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public GatewayEngine start(final GatewaySettings settings, final RoleContext context) {
        return new OwnEngine(settings, context);
    }
}
