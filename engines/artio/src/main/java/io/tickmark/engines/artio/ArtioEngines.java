package io.tickmark.engines.artio;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.workloads.fix.gateway.GatewayEngine;
import io.tickmark.workloads.fix.gateway.GatewayEngines;
import io.tickmark.workloads.fix.gateway.GatewaySettings;
import java.util.List;
import java.util.stream.Stream;

/** Creates gateways on Artio. */
public final class ArtioEngines implements GatewayEngines {
    static final String NAME = "artio";

    /** For the service loader. */
    public ArtioEngines() {}

    @Override
    public String name() {
        return NAME;
    }

    /** All of them park a little longer each time there is nothing to do. */
    @Override
    public List<HotThread> hotThreads(final GatewaySettings settings) {
        return Stream.of("artio-framer", "artio-library", "artio-driver")
                .map(name -> new HotThread(name).waiting(IdleMode.PARK))
                .toList();
    }

    @Override
    public GatewayEngine start(final GatewaySettings settings, final RoleContext context) {
        return new ArtioGateway(settings);
    }
}
