package io.tickmark.workloads.market.transport;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.RoleFactory;
import java.util.List;

/** Makes one side of the transport-only test, which has one hot thread. */
abstract class TransportTestFactory extends RoleFactory.Declared<TransportTestSettings> {
    /** Name of the endpoint at which the sender listens. */
    static final String ENDPOINT = "rssl-transport";

    private final HotThread thread;

    TransportTestFactory(final String name, final String summary, final HotThread thread) {
        super(name, summary, TransportTestSettings.class);
        this.thread = thread;
    }

    @Override
    public final List<HotThread> hotThreads(
            final TransportTestSettings settings, final int index, final int count) {
        return List.of(thread);
    }

    @Override
    public final long expectedDurationNs(final TransportTestSettings settings) {
        return settings.warmUp().plus(settings.duration()).toNanos();
    }
}
