package io.tickmark.engines.artio;

import io.tickmark.kernel.role.RoleContext;
import io.tickmark.workloads.fix.gateway.GatewayEngine;
import io.tickmark.workloads.fix.gateway.GatewayEngines;
import io.tickmark.workloads.fix.gateway.GatewaySettings;

/** Makes gateways on Artio. */
public final class ArtioEngines implements GatewayEngines {
    /** For the service loader. */
    public ArtioEngines() {}

    @Override
    public String name() {
        return "artio";
    }

    @Override
    public GatewayEngine start(final GatewaySettings settings, final RoleContext context) {
        return new ArtioGateway(settings);
    }
}
