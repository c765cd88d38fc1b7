package io.tickmark.workloads.fix.gateway;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.RoleContext;
import java.util.List;
import java.util.stream.IntStream;

/** Creates the gateway of this project. */
final class OwnEngines implements GatewayEngines {
    static final String NAME = "tickmark";

    OwnEngines() {}

    @Override
    public String name() {
        return NAME;
    }

    static HotThread thread(final int worker) {
        return new HotThread("worker-" + (worker + 1));
    }

    @Override
    public List<HotThread> hotThreads(final GatewaySettings settings) {
        return IntStream.range(0, settings.workerThreads())
                .mapToObj(worker -> thread(worker).waiting(settings.idle()))
                .toList();
    }

    @Override
    public GatewayEngine start(final GatewaySettings settings, final RoleContext context) {
        return new OwnEngine(settings, context);
    }
}
